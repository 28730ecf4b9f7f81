import { Decimal } from 'decimal.js'
import type { Json, JsonObject } from '../model.js'
import { ExpressionError } from './ast.js'

/** Decimals of 38 digits, rounding half away from zero: 0.1 + 0.2 is 0.3. */
export const exact = Decimal.clone({ precision: 38, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -1000, toExpPos: 1000 })

/** A value while it is computed with: JSON, but numbers are decimals at the top. */
export type Value = null | boolean | string | Decimal | Json[] | JsonObject

/** More digits than this come from a quotient without an end, which is rounded when it is stored. */
const endless = 30

export function fromJson(value: Json): Value {
  return typeof value === 'number' ? new exact(String(value)) : value
}

/** Back to JSON. A decimal that a JSON number cannot hold exactly is an error. */
export function toJson(value: Value): Json {
  if (!(value instanceof Decimal)) return value
  const number = Number(value.toString())
  if (Number.isFinite(number) && (new exact(String(number)).eq(value) || value.precision() >= endless)) return number
  throw new ExpressionError('number_out_of_range', 1, { number: value.toFixed() })
}

export function isObject(value: Value): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Decimal)
}

/** The text of a value: all digits of a number, JSON of a list or an object, nothing for no value. */
export function textOf(value: Value): string {
  if (value === null) return ''
  if (value instanceof Decimal) return value.toFixed()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function kindOf(value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Decimal) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}
