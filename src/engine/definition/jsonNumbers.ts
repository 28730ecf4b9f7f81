/** Numbers that certainly keep their value have at most 15 digits and no exponent; only other texts are scanned. */
const suspicious = /\d[\d.]{15,}|\d[eE][+-]?\d/

/** Where the scanner stands: the key or the index in each container around the current value. */
type Path = (string | number)[]

/**
 * Finds the first number in a valid JSON text that a double cannot hold: one whose shortest decimal form is not
 * numerically equal to what was written.
 * @returns its path, such as `$.variables.amounts[2]`, and its text; null when every number keeps its value
 */
export function findInexactNumber(json: string): { path: string; number: string } | null {
  if (!suspicious.test(json)) return null
  const path: Path = []
  // Strings (with their colon when they are keys), numbers, brackets and commas; all else has no bearing.
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{},]/g
  for (const match of json.matchAll(tokens)) {
    const token = match[0]
    const first = token.charCodeAt(0)
    if (first === 0x22) {
      if (match[1] !== undefined) path[path.length - 1] = keyOf(token, match[1])
    } else if (token === '[') {
      path.push(0)
    } else if (token === '{') {
      path.push('')
    } else if (token === ']' || token === '}') {
      path.pop()
    } else if (token === ',') {
      const last = path.at(-1)
      if (typeof last === 'number') path[path.length - 1] = last + 1
    } else if (!isExact(token)) {
      return { path: printPath(path), number: token }
    }
  }
  return null
}

function keyOf(token: string, colon: string): string {
  const parsed: unknown = JSON.parse(token.slice(0, token.length - colon.length))
  return String(parsed)
}

function printPath(path: Path): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '$')
}

/** Whether the decimal text and the double it is read as are numerically equal. */
export function isExact(number: string): boolean {
  const value = Number(number)
  return Number.isFinite(value) && normalize(number) === normalize(String(value))
}

/** One text per numeric value: significant digits without zeros at either end, and the power of ten. */
function normalize(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${negative ? '-' : ''}${significant}e${power}`
}
