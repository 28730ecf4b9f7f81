import { Decimal } from 'decimal.js'
import type { Fault } from '../model.js'
import { type BinaryOperator, type Expression, ExpressionError } from './ast.js'
import { closingQuote, type Token, tokenize } from './tokens.js'

export const maxLength = 4000
export const maxNesting = 64

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; fault: Fault }
/** Text and expressions in turn. */
export type Template = readonly (string | { source: string; expression: Expression })[]
export type ParsedTemplate = { ok: true; template: Template } | { ok: false; fault: Fault }

const precedence: { [operator: string]: number } = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}

/** Parses an expression of at most 4000 characters and 64 levels. Errors are faults, positions 1-based. */
export function parseExpression(text: string): ParsedExpression {
  try {
    if (text.length > maxLength) throw new ExpressionError('too_long', maxLength + 1, { max: String(maxLength) })
    return { ok: true, expression: new Parser(tokenize(text)).parse() }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, fault: error.toFault(text) }
    throw error
  }
}

/** Parses a text with `{{ expression }}` parts; a `}}` inside quotes does not end one. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: (string | { source: string; expression: Expression })[] = []
  let index = 0
  while (index < text.length) {
    const open = text.indexOf('{{', index)
    if (open < 0) break
    const close = closingBraces(text, open + 2)
    if (close < 0)
      return { ok: false, fault: new ExpressionError('unexpected_end', text.length + 1).toFault(text.slice(open)) }
    const source = text.slice(open + 2, close).trim()
    const parsed = parseExpression(source)
    if (!parsed.ok) return parsed
    if (open > index) parts.push(text.slice(index, open))
    parts.push({ source, expression: parsed.expression })
    index = close + 2
  }
  if (index < text.length) parts.push(text.slice(index))
  return { ok: true, template: parts }
}

function closingBraces(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"' || character === "'") {
      const end = closingQuote(text, index)
      if (end < 0) return -1
      index = end
    } else if (character === '}' && text[index + 1] === '}') return index
  }
  return -1
}

/** Precedence climbing over the tokens of one expression. */
class Parser {
  private index = 0
  private depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Expression {
    const expression = this.binary(1)
    const rest = this.peek()
    if (rest.kind !== 'end') throw new ExpressionError('unexpected_token', rest.at, { token: rest.text })
    return expression
  }

  private peek(): Token {
    return this.tokens[this.index] ?? { kind: 'end', text: '', at: 1 }
  }

  private next(): Token {
    const token = this.peek()
    this.index += 1
    return token
  }

  private at(text: string): boolean {
    return this.peek().kind === 'operator' && this.peek().text === text
  }

  private expect(text: string): void {
    const token = this.next()
    if (token.kind === 'end') throw new ExpressionError('unexpected_end', token.at)
    if (token.kind !== 'operator' || token.text !== text)
      throw new ExpressionError('token_expected', token.at, { expected: text, token: token.text })
  }

  private nested<T>(at: number, parse: () => T): T {
    this.depth += 1
    if (this.depth > maxNesting) throw new ExpressionError('too_deep', at, { max: String(maxNesting) })
    const result = parse()
    this.depth -= 1
    return result
  }

  private binary(least: number): Expression {
    let left = this.unary()
    for (;;) {
      const token = this.peek()
      const level = token.kind === 'operator' ? (precedence[token.text] ?? 0) : 0
      if (level < least) return left
      this.next()
      const right = this.binary(level + 1)
      left = { kind: 'binary', operator: token.text as BinaryOperator, left, right, at: token.at }
    }
  }

  private unary(): Expression {
    const token = this.peek()
    if (token.kind !== 'operator' || (token.text !== '!' && token.text !== '-')) return this.postfix()
    this.next()
    const operator = token.text
    return { kind: 'unary', operator, operand: this.nested(token.at, () => this.unary()), at: token.at }
  }

  private postfix(): Expression {
    let target = this.primary()
    for (;;) {
      if (this.at('.')) {
        this.next()
        const name = this.next()
        if (name.kind !== 'name')
          throw new ExpressionError('token_expected', name.at, { expected: 'name', token: name.text })
        target = { kind: 'member', target, name: name.text }
      } else if (this.at('[')) {
        const { at } = this.next()
        const index = this.nested(at, () => this.binary(1))
        this.expect(']')
        target = { kind: 'index', target, index, at }
      } else return target
    }
  }

  private primary(): Expression {
    const token = this.next()
    if (token.kind === 'end') throw new ExpressionError('unexpected_end', token.at)
    if (token.kind === 'number') return { kind: 'literal', value: new Decimal(token.text) }
    if (token.kind === 'string') return { kind: 'literal', value: token.text }
    if (token.kind === 'name') return this.named(token)
    if (token.text !== '(') throw new ExpressionError('unexpected_token', token.at, { token: token.text })
    const inner = this.nested(token.at, () => this.binary(1))
    this.expect(')')
    return inner
  }

  private named(token: Token): Expression {
    if (this.at('('))
      return { kind: 'call', name: token.text.toLowerCase(), arguments: this.callArguments(), at: token.at }
    if (token.text === 'true' || token.text === 'false') return { kind: 'literal', value: token.text === 'true' }
    if (token.text === 'null') return { kind: 'literal', value: null }
    return { kind: 'variable', name: token.text, at: token.at }
  }

  private callArguments(): Expression[] {
    const { at } = this.next()
    const found: Expression[] = []
    if (!this.at(')'))
      for (;;) {
        found.push(this.nested(at, () => this.binary(1)))
        if (!this.at(',')) break
        this.next()
      }
    this.expect(')')
    return found
  }
}
