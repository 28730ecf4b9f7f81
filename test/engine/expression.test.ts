import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, evaluateCondition, renderTemplate } from '../../src/engine/expression/evaluate.js'
import { parseExpression, parseTemplate } from '../../src/engine/expression/parse.js'
import type { Json, JsonObject } from '../../src/engine/model.js'

const variables: JsonObject = {
  n: 3,
  text: 'Hello',
  list: [1, 'two', null],
  form: { x: null, y: 5 },
  items: [],
  p: {},
  k: 'constructor',
}
const scope = { variables, now: Date.parse('2026-01-05T09:00:00Z') }

function value(text: string): Json | string {
  const parsed = parseExpression(text)
  if (!parsed.ok) return parsed.fault.messageKey
  const result = evaluate(parsed.expression, scope)
  return result.ok ? result.value : result.fault.messageKey
}

function condition(text: string): boolean | string {
  const parsed = parseExpression(text)
  if (!parsed.ok) return parsed.fault.messageKey
  const result = evaluateCondition(parsed.expression, scope)
  return result.ok ? result.value : result.fault.messageKey
}

describe('expressions', () => {
  it.each<[string, Json]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['7 % 4', 3],
    ['-n + 1', -2],
    ['!true || true', true],
    ['0.1 + 0.2 == 0.3', true],
    ['1 == 1.0', true],
    ["'a' + 1", 'a1'],
    ["1 == '1'", false],
    ['null == form.x', true],
    ['form.missing', null],
    ['form.y', 5],
    ['form["y"]', 5],
    ['list[0]', 1],
    ['list[9]', null],
    ['text.length', null],
    ['len(text)', 5],
    ['LEN(list)', 3],
    ["contains(text, 'ell')", true],
    ["startsWith(text, 'He')", true],
    ["endsWith(text, 'lo')", true],
    ['upper(text)', 'HELLO'],
    ['lower(text)', 'hello'],
    ["trim('  a ')", 'a'],
    ["isNullOrEmpty('')", true],
    ['abs(-2)', 2],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2)', 3],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ["toNumber('1.50')", 1.5],
    ['toString(12345678901234567.89)', '12345678901234567.89'],
    ['now()', '2026-01-05T09:00:00.000Z'],
    ["date('2026-01-05')", '2026-01-05T00:00:00.000Z'],
    ["'b' > 'a'", true],
    ['false && missing', false],
    ['1 / 3', 1 / 3],
  ])('%s is %j', (text, expected) => expect(value(text)).toEqual(expected))

  it.each<[string, string]>([
    ['missing', 'unknown_variable'],
    ['1 / 0', 'division_by_zero'],
    ['5 % 0', 'division_by_zero'],
    ["1 < 'a'", 'type_mismatch'],
    ['list[0.5]', 'index_not_integer'],
    ['foo(1)', 'unknown_function'],
    ['len()', 'argument_count'],
    ['1 +', 'unexpected_end'],
    ['1 2', 'unexpected_token'],
    ['a # b', 'unexpected_character'],
    ["'open", 'unterminated_string'],
    ['(1', 'unexpected_end'],
    ['9007199254740992 + 1', 'number_out_of_range'],
    [`${'('.repeat(65)}1${')'.repeat(65)}`, 'too_deep'],
    [`${'1+'.repeat(2000)}1`, 'too_long'],
  ])('%s is the error %s', (text, key) => expect(value(text)).toBe(`workflow.expression.${key}`))

  it('C27 never reaches a host object', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'len.constructor'])
      expect(value(name)).toBe('workflow.expression.unknown_variable')
    expect(value('valueOf()')).toBe('workflow.expression.unknown_function')
    for (const member of ['"".constructor', 'items.constructor', 'p.__proto__', "p['__proto__']", 'p[k]'])
      expect(value(member)).toBeNull()
    expect(value("constructor.constructor('return 1')()")).toMatch(/^workflow\.expression\./)
  })

  it('C28 a condition is true or false, or an error', () => {
    expect(condition('form.x == null')).toBe(true)
    for (const text of ['form.x', "'abc'", '1']) expect(condition(text)).toBe('workflow.expression.not_boolean')
    expect(condition('form.x > 3')).toBe('workflow.expression.type_mismatch')
    expect(condition('x != null')).toBe('workflow.expression.unknown_variable')
  })

  it('renders templates, quotes and all digits included', () => {
    const render = (text: string) => {
      const parsed = parseTemplate(text)
      const result = parsed.ok ? renderTemplate(parsed.template, scope) : parsed
      return result.ok ? result.value : result.fault.messageKey
    }
    expect(render('{{ text }} {{ n }} {{ form.x }}|')).toBe('Hello 3 |')
    expect(render("{{ 'a }} b' }}")).toBe('a }} b')
    expect(render('{{ 9007199254740992 + 1 }}')).toBe('9007199254740993')
    expect(render('{{ oops }}')).toBe('workflow.expression.unknown_variable')
  })

  it('walks a long chain without deep recursion', () => expect(value(`0${'+1'.repeat(1999)}`)).toBe(1999))

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => void value(text)),
      { numRuns: 2000 },
    )
    const alphabet = fc.constantFrom(...'()[].,+-*/%!<>=&|"\'{} n1a'.split(''))
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (parts) => void value(parts.join(''))),
      { numRuns: 3000 },
    )
  })
})
