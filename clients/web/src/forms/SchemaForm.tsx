import Form from '@rjsf/core/lib/components/Form.js'
import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils'
import { type Ref, useImperativeHandle, useMemo, useState } from 'react'
import { templates } from './templates'
import { validator } from './validator'
import { widgets } from './widgets'

type Values = Record<string, unknown>

/** What the page around a form asks of it. */
export interface FormHandle {
  /** What was filled in, without fields that are only shown; null where it is checked and has mistakes, which are then shown. */
  read(checked: boolean): Values | null
}

interface SchemaFormProps {
  handle: Ref<FormHandle>
  schema: Values
  values: Values
  readOnly?: readonly string[]
}

/** A form from a JSON Schema. */
export default function SchemaForm({ handle, schema, values, readOnly = [] }: SchemaFormProps) {
  const fields = Object.keys((schema.properties ?? {}) as Values)
  const [data, setData] = useState<Values>(() =>
    Object.fromEntries(Object.entries(values).filter(([name, value]) => fields.includes(name) && value !== null)),
  )
  const [mistakes, setMistakes] = useState<ErrorSchema<Values>>({})
  const ui = useMemo(() => {
    const locked = readOnly.map((name) => [name, { 'ui:readonly': true }])
    return { ...Object.fromEntries(locked), 'ui:submitButtonOptions': { norender: true } } as UiSchema<
      Values,
      RJSFSchema
    >
  }, [readOnly])
  useImperativeHandle(handle, () => ({
    read(checked) {
      const found = validator.validateFormData(data, schema as RJSFSchema)
      const wrong = checked && found.errors.length > 0
      setMistakes(wrong ? found.errorSchema : {})
      if (wrong) return null
      const filled = Object.entries(data).filter(
        ([name, value]) => fields.includes(name) && !readOnly.includes(name) && value !== undefined,
      )
      return Object.fromEntries(filled)
    },
  }))
  return (
    <Form<Values, RJSFSchema>
      tagName="div"
      schema={schema as RJSFSchema}
      uiSchema={ui}
      formData={data}
      validator={validator}
      templates={templates}
      widgets={widgets}
      showErrorList={false}
      noHtml5Validate
      noValidate
      extraErrors={mistakes}
      onChange={(event) => setData(event.formData ?? {})}
    />
  )
}
