import { type ParsedExpression, type ParsedTemplate, parseExpression, parseTemplate } from './parse.js'

/** Parsed expressions and templates by their text; a full cache is cleared whole. */
export function createExpressionCache(limit: number) {
  return { expression: memoize(limit, parseExpression), template: memoize(limit, parseTemplate) } as {
    expression: (text: string) => ParsedExpression
    template: (text: string) => ParsedTemplate
  }
}

function memoize<T>(limit: number, parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= limit) known.clear()
    const parsed = parse(text)
    known.set(text, parsed)
    return parsed
  }
}
