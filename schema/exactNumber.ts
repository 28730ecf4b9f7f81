import { Decimal } from 'decimal.js'

/** Whether a double holds the written number: read back by its shortest text it is numerically the same. */
export function isExactNumber(text: string): boolean {
  const number = Number(text)
  if (!Number.isFinite(number)) return false
  // A number too small for either arithmetic would be zero in both.
  if (number === 0) return !/[1-9]/.test(text.replace(/[eE].*$/, ''))
  return new Decimal(text).eq(number)
}
