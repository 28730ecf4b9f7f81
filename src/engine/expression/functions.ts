import { Decimal } from 'decimal.js'
import { parseTime } from '../time.js'
import { ExpressionError } from './ast.js'
import { exact, fromJson, kindOf, textOf, type Value } from './value.js'

type Call = (values: Value[], at: number, now: number) => Value
interface Definition {
  least: number
  most: number
  run: Call
}

const functions: ReadonlyMap<string, Definition> = new Map(
  Object.entries({
    len: fixed(1, ([value], at) => {
      if (value === null) return new exact(0)
      if (typeof value === 'string' || Array.isArray(value)) return new exact(value.length)
      throw mismatch('len', value, at)
    }),
    contains: fixed(2, ([where, what], at) => {
      if (Array.isArray(where)) return where.some((item) => same(fromJson(item), what ?? null))
      return text(where, 'contains', at).includes(text(what, 'contains', at))
    }),
    startswith: fixed(2, ([value, part], at) => text(value, 'startsWith', at).startsWith(text(part, 'startsWith', at))),
    endswith: fixed(2, ([value, part], at) => text(value, 'endsWith', at).endsWith(text(part, 'endsWith', at))),
    upper: fixed(1, ([value], at) => text(value, 'upper', at).toUpperCase()),
    lower: fixed(1, ([value], at) => text(value, 'lower', at).toLowerCase()),
    trim: fixed(1, ([value], at) => text(value, 'trim', at).trim()),
    isnullorempty: fixed(
      1,
      ([value]) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
    ),
    abs: fixed(1, ([value], at) => number(value, 'abs', at).abs()),
    min: { least: 1, most: 100, run: (values, at) => exact.min(...values.map((value) => number(value, 'min', at))) },
    max: { least: 1, most: 100, run: (values, at) => exact.max(...values.map((value) => number(value, 'max', at))) },
    round: { least: 1, most: 2, run: round },
    tonumber: fixed(1, ([value], at) => {
      if (value instanceof Decimal) return value
      const digits = text(value, 'toNumber', at).trim()
      if (/^[+-]?\d+(\.\d+)?$/.test(digits)) return new exact(digits)
      throw new ExpressionError('invalid_number', at, { text: digits.slice(0, 100) })
    }),
    tostring: fixed(1, ([value]) => textOf(value ?? null)),
    now: fixed(0, (_, __, now) => new Date(now).toISOString()),
    date: fixed(1, ([value], at) => {
      const time = parseTime(text(value, 'date', at))
      if (time === null) throw new ExpressionError('invalid_date', at, { text: textOf(value ?? null).slice(0, 100) })
      return new Date(time).toISOString()
    }),
  }),
)

function fixed(count: number, run: Call): Definition {
  return { least: count, most: count, run }
}

/** Calls one of the listed functions; names are given in lower case. */
export function call(name: string, values: Value[], at: number, now: number): Value {
  const found = functions.get(name)
  if (!found) throw new ExpressionError('unknown_function', at, { name })
  if (values.length < found.least || values.length > found.most)
    throw new ExpressionError('argument_count', at, {
      name,
      expected: String(found.least),
      actual: String(values.length),
    })
  return found.run(values, at, now)
}

function round(values: Value[], at: number): Value {
  const digits = values[1] === undefined ? 0 : number(values[1], 'round', at).toNumber()
  if (!Number.isInteger(digits) || digits < 0 || digits > 28) throw mismatch('round', values[1] ?? null, at)
  return number(values[0], 'round', at).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
}

function same(left: Value, right: Value): boolean {
  return left instanceof Decimal ? right instanceof Decimal && left.eq(right) : left === right
}

function text(value: Value | undefined, name: string, at: number): string {
  if (typeof value === 'string') return value
  throw mismatch(name, value ?? null, at)
}

function number(value: Value | undefined, name: string, at: number): Decimal {
  if (value instanceof Decimal) return value
  throw mismatch(name, value ?? null, at)
}

function mismatch(operator: string, value: Value | undefined, at: number): ExpressionError {
  return new ExpressionError('type_mismatch', at, { operator, kind: kindOf(value ?? null) })
}
