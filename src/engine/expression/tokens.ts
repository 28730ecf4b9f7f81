import { ExpressionError } from './ast.js'

export interface Token {
  kind: 'number' | 'string' | 'name' | 'operator' | 'end'
  text: string
  /** 1-based. */
  at: number
}

const number = /\d+(?:\.\d+)?/y
const name = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const operator = /\|\||&&|==|!=|<=|>=|[<>+\-*/%!()[\].,]/y
const escapes: { [letter: string]: string } = { n: '\n', r: '\r', t: '\t' }

/** Splits an expression into tokens; the last one is `end`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let index = 0
  const take = (pattern: RegExp, kind: Token['kind']): boolean => {
    pattern.lastIndex = index
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return false
    tokens.push({ kind, text: found, at: index + 1 })
    index += found.length
    return true
  }
  while (index < text.length) {
    const character = text[index] ?? ''
    if (/\s/.test(character)) index += 1
    else if (character === '"' || character === "'") {
      const end = closingQuote(text, index)
      if (end < 0) throw new ExpressionError('unterminated_string', index + 1)
      tokens.push({ kind: 'string', text: unquote(text.slice(index + 1, end)), at: index + 1 })
      index = end + 1
    } else if (!take(number, 'number') && !take(name, 'name') && !take(operator, 'operator'))
      throw new ExpressionError('unexpected_character', index + 1, {
        character: String.fromCodePoint(text.codePointAt(index) ?? 0),
      })
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1 })
  return tokens
}

/** The index of the quote that closes the one at `start`, or -1. */
export function closingQuote(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === text[start]) return index
  }
  return -1
}

function unquote(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}
