import { jsonLanguage } from '@codemirror/lang-json'

type Tree = ReturnType<typeof jsonLanguage.parser.parse>
type SyntaxNode = Tree['topNode']

export interface Range {
  from: number
  to: number
}

/**
 * Where in a JSON text a path such as `$.nodes[2].properties.Cron` lies. What does not exist is looked for in what
 * would hold it; of a value over several lines the first one is meant.
 */
export function locate(text: string, path: string): Range {
  let node = jsonLanguage.parser.parse(text).topNode.firstChild
  let rest = path.replace(/^\$/, '')
  while (node && rest !== '') {
    const next: Step | null = node.name === 'Object' ? member(node, rest, text) : item(node, rest)
    if (!next) break
    node = next.node
    rest = next.rest
  }
  return node ? firstLine(node, text) : { from: 0, to: 0 }
}

interface Step {
  node: SyntaxNode
  rest: string
}

/** Names can hold dots themselves: the longest that fits is meant. */
function member(object: SyntaxNode, path: string, text: string): Step | null {
  const fitting = object.getChildren('Property').flatMap((property) => {
    const name = property.getChild('PropertyName')
    const value = property.lastChild
    if (!name || !value) return []
    const key = `.${nameOf(text.slice(name.from, name.to))}`
    const rest = path.slice(key.length)
    return path.startsWith(key) && /^([.[]|$)/.test(rest) ? [{ node: value, rest }] : []
  })
  return fitting.sort((one, other) => one.rest.length - other.rest.length)[0] ?? null
}

function nameOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

function item(list: SyntaxNode, path: string): Step | null {
  const [whole = '', index] = /^\[(\d+)\]/.exec(path) ?? []
  if (list.name !== 'Array' || index === undefined) return null
  let node = list.firstChild
  let left = Number(index)
  while (node) {
    if (!/^[[\],⚠]$/.test(node.name)) {
      if (left === 0) return { node, rest: path.slice(whole.length) }
      left -= 1
    }
    node = node.nextSibling
  }
  return null
}

function firstLine({ from, to }: SyntaxNode, text: string): Range {
  const end = text.indexOf('\n', from)
  return { from, to: end === -1 ? to : Math.min(to, end) }
}
