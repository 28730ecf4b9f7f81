import { Kind, type ValueNode } from 'graphql'
import { isExact } from '../src/engine/definition/jsonNumbers.js'
import type { Json, JsonObject } from '../src/engine/model.js'
import { builder } from './builder.js'
import { scalarError } from './errors.js'

builder.scalarType('DateTime', {
  description: 'RFC 3339, UTC, milliseconds: 2026-11-30T09:00:00.000Z',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => readDateTime(value),
  parseLiteral: (node) => readDateTime(node.kind === Kind.STRING ? node.value : null),
})

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  // What comes in variables has been parsed as JSON; its numbers were checked where its text was.
  parseValue: (value) => value as Json,
  parseLiteral: (node, variables) => readJson(node, variables ?? {}),
})

const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

function readDateTime(value: unknown): Date {
  const form = typeof value === 'string' ? dateTime.exec(value) : null
  const read = new Date(form ? form[0].toUpperCase() : Number.NaN)
  if (!form || Number.isNaN(read.getTime()) || !isCalendarDay(form) || !hasYear(read))
    throw scalarError('workflow.input.datetime_invalid', { value: String(value).slice(0, 64) })
  return read
}

/** 30 February would be read as a day of March. */
function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

/** PostgreSQL knows no year 0; an offset may lead there, or past the four digits. */
function hasYear(read: Date): boolean {
  return read.getUTCFullYear() >= 1 && read.getUTCFullYear() <= 9999
}

function readJson(node: ValueNode, variables: { [name: string]: unknown }): Json {
  switch (node.kind) {
    case Kind.NULL:
      return null
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value
    case Kind.INT:
    case Kind.FLOAT:
      if (!isExact(node.value)) throw scalarError('workflow.input.number_inexact', { value: node.value.slice(0, 64) })
      return Number(node.value)
    case Kind.LIST:
      return node.values.map((item) => readJson(item, variables))
    case Kind.OBJECT:
      return readObject(node.fields, variables)
    case Kind.VARIABLE:
      return (variables[node.name.value] ?? null) as Json
  }
}

function readObject(
  fields: readonly { name: { value: string }; value: ValueNode }[],
  variables: { [name: string]: unknown },
): JsonObject {
  const read: JsonObject = {}
  for (const { name, value } of fields) {
    // Defined, not assigned: a key such as __proto__ stays a plain key, for the check of the values to refuse.
    Object.defineProperty(read, name.value, {
      value: readJson(value, variables),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return read
}
