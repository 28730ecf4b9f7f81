import { Decimal } from 'decimal.js'
import type { Fault, Json, JsonObject } from '../model.js'
import { type Expression, ExpressionError } from './ast.js'
import { call } from './functions.js'
import type { Template } from './parse.js'
import { exact, fromJson, isObject, kindOf, textOf, toJson, type Value } from './value.js'

/** What an expression may read: variables, `extra` names before them, and a time fixed for the burst. */
export interface Scope {
  variables: JsonObject
  extra?: JsonObject
  /** Epoch milliseconds. */
  now: number
}

export type Evaluated = { ok: true; value: Json } | { ok: false; fault: Fault }

/** The value of an expression as JSON; what JSON cannot hold exactly is an error, never rounded in silence. */
export function evaluate(expression: Expression, scope: Scope): Evaluated {
  return guarded(expression, () => toJson(run(expression, scope)))
}

/** The value of a condition: anything but true or false is an error, no value included. */
export function evaluateCondition(
  expression: Expression,
  scope: Scope,
): { ok: true; value: boolean } | { ok: false; fault: Fault } {
  return guarded(expression, () => {
    const value = run(expression, scope)
    if (typeof value !== 'boolean') throw new ExpressionError('not_boolean', 1, { kind: kindOf(value) })
    return value
  })
}

/** Renders a template; no value renders as the empty string. */
export function renderTemplate(
  template: Template,
  scope: Scope,
): { ok: true; value: string } | { ok: false; fault: Fault } {
  let text = ''
  for (const part of template) {
    if (typeof part === 'string') text += part
    else {
      const value = guarded(part.expression, () => textOf(run(part.expression, scope)), part.source)
      if (!value.ok) return value
      text += value.value
    }
  }
  return { ok: true, value: text }
}

function guarded<T>(
  _: Expression,
  compute: () => T,
  source = '',
): { ok: true; value: T } | { ok: false; fault: Fault } {
  try {
    return { ok: true, value: compute() }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, fault: error.toFault(source) }
    throw error
  }
}

function run(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'variable': {
      for (const names of [scope.extra, scope.variables])
        if (names && Object.hasOwn(names, expression.name)) return fromJson(names[expression.name] ?? null)
      throw new ExpressionError('unknown_variable', expression.at, { name: expression.name })
    }
    case 'member':
      return member(run(expression.target, scope), expression.name)
    case 'index':
      return element(run(expression.target, scope), run(expression.index, scope), expression.at)
    case 'call':
      return call(
        expression.name,
        expression.arguments.map((argument) => run(argument, scope)),
        expression.at,
        scope.now,
      )
    case 'unary': {
      const value = run(expression.operand, scope)
      if (expression.operator === '!' && typeof value === 'boolean') return !value
      if (expression.operator === '-' && value instanceof Decimal) return value.neg()
      throw new ExpressionError('type_mismatch', expression.at, { operator: expression.operator, kind: kindOf(value) })
    }
    case 'binary':
      return binary(expression, scope)
  }
}

/** A chain such as `a + b + c …` leans to the left: it is walked in a loop, not by recursion. */
function binary(expression: Expression & { kind: 'binary' }, scope: Scope): Value {
  const chain: (Expression & { kind: 'binary' })[] = []
  let first: Expression = expression
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  let value = run(first, scope)
  for (const link of chain.reverse()) value = operate(link, value, scope)
  return value
}

function operate(link: Expression & { kind: 'binary' }, left: Value, scope: Scope): Value {
  const { operator, at } = link
  if (operator === '&&' || operator === '||') {
    if (typeof left !== 'boolean') throw new ExpressionError('type_mismatch', at, { operator, kind: kindOf(left) })
    if (left === (operator === '||')) return left
    const right = run(link.right, scope)
    if (typeof right !== 'boolean') throw new ExpressionError('type_mismatch', at, { operator, kind: kindOf(right) })
    return right
  }
  const right = run(link.right, scope)
  if (operator === '==') return equal(left, right)
  if (operator === '!=') return !equal(left, right)
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return textOf(left) + textOf(right)
  if (left instanceof Decimal && right instanceof Decimal) return arithmetic(operator, left, right, at)
  if (typeof left === 'string' && typeof right === 'string')
    return compare(operator, left < right ? -1 : left > right ? 1 : 0, at)
  throw new ExpressionError('type_mismatch', at, { operator, kind: `${kindOf(left)}, ${kindOf(right)}` })
}

function arithmetic(operator: string, left: Decimal, right: Decimal, at: number): Value {
  switch (operator) {
    case '+':
      return exact.add(left, right)
    case '-':
      return exact.sub(left, right)
    case '*':
      return exact.mul(left, right)
    case '/':
    case '%':
      if (right.isZero()) throw new ExpressionError('division_by_zero', at)
      return operator === '/' ? exact.div(left, right) : exact.mod(left, right)
    default:
      return compare(operator, left.cmp(right), at)
  }
}

function compare(operator: string, order: number, at: number): boolean {
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  throw new ExpressionError('type_mismatch', at, { operator, kind: 'string' })
}

function equal(left: Value, right: Value): boolean {
  if (left instanceof Decimal || right instanceof Decimal)
    return left instanceof Decimal && right instanceof Decimal && left.eq(right)
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right
  return JSON.stringify(toJson(left)) === JSON.stringify(toJson(right))
}

/** Own data members only: nothing of the host language is ever reached. */
function member(target: Value, name: string): Value {
  return isObject(target) && Object.hasOwn(target, name) ? fromJson(target[name] ?? null) : null
}

function element(target: Value, index: Value, at: number): Value {
  if (isObject(target)) return typeof index === 'string' ? member(target, index) : null
  if (!Array.isArray(target)) return null
  if (!(index instanceof Decimal) || !index.isInteger()) throw new ExpressionError('index_not_integer', at)
  return fromJson(index.isNegative() ? null : (target[index.toNumber()] ?? null))
}
