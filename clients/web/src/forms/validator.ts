import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import {
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorList,
  type ValidatorType,
} from '@rjsf/utils'

type Values = Record<string, unknown>

/** Checks a form without compiling code, which the content security policy would not allow. */
export const validator: ValidatorType<Values, RJSFSchema> = {
  validateFormData(formData, schema) {
    const found = problemsOf(schema, formData)
    const errors: RJSFValidationError[] = found.map(({ path, message }) => ({
      property: `.${path.join('.')}`,
      message,
      stack: message,
    }))
    const errorSchema: ErrorSchema<Values> = {}
    for (const { path, message } of found) addError(errorSchema, path, message)
    return { errors: errors.length > 0 ? errors : toErrorList(errorSchema), errorSchema }
  },
  isValid: (schema, formData, rootSchema) => problemsOf({ ...rootSchema, ...schema }, formData).length === 0,
  rawValidation: () => ({ errors: [] }),
}

interface Problem {
  path: string[]
  message: string
}

function problemsOf(schema: RJSFSchema, data: unknown): Problem[] {
  // A field that was emptied stays as `undefined`, which would count as filled in; the request leaves it out as well.
  const sent: unknown = data === undefined ? {} : JSON.parse(JSON.stringify(data))
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(sent)
  // Errors of a part come with one for everything around it; only the innermost says something.
  return errors
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== '$ref' && keyword !== 'allOf')
    .map(problemOf)
}

function problemOf({ instanceLocation, keyword, error }: OutputUnit): Problem {
  const path = instanceLocation.split('/').slice(1)
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
  return { path: missing === undefined ? path : [...path, missing], message: keyword }
}

function addError(schema: ErrorSchema<Values>, path: readonly string[], message: string): void {
  let at = schema as Record<string, unknown>
  for (const part of path) {
    at[part] ??= {}
    at = at[part] as Record<string, unknown>
  }
  at.__errors = [...((at.__errors as string[] | undefined) ?? []), message]
}
