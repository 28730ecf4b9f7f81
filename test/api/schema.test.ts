import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../schema/index.js'
import { isExact } from '../../src/engine/definition/jsonNumbers.js'

/** Every place of the schema that GraphiQL shows, with its description. */
function* described(): Generator<[string, string | null | undefined]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    yield [type.name, type.description]
    if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description]
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      yield [`${type.name}.${field.name}`, field.description]
      if ('args' in field)
        for (const arg of field.args) yield [`${type.name}.${field.name}(${arg.name})`, arg.description]
    }
  }
}

describe('the schema', () => {
  it('describes every type, field, argument and enum value', () => {
    expect([...described()].filter(([, text]) => !text).map(([place]) => place)).toEqual([])
  })

  it('takes a written number only where a double holds it', () => {
    for (const text of ['0', '-0', '1.10', '1e2', '0.1', '9007199254740992', '1e-300', '123456789012345680000'])
      expect([text, isExact(text)]).toEqual([text, true])
    for (const text of ['9007199254740993', '1610521604143693812', '12345678901234567890.123456789', '1e400', '1e-400'])
      expect([text, isExact(text)]).toEqual([text, false])
  })
})
