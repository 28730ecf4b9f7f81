/** The last moment that every part of the system can write: four digits of a year. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The moment so many milliseconds after another, never earlier and never outside the range of dates. */
export function timeAfter(now: number, milliseconds: number): number {
  return Math.min(Math.ceil(now + milliseconds), latestTime)
}

const form = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * Reads an ISO 8601 date or time as epoch milliseconds; without an offset it is UTC, whatever the zone of the host.
 * @returns null for what is none: another form, a day that the month does not have
 */
export function parseTime(text: string): number | null {
  const parts = form.exec(text.trim())
  if (!parts) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > daysOf(y, m) || h > 23 || min > 59 || s > 59) return null
  const offset = offsetOf(zone)
  if (offset === null) return null
  // A Date of its own: Date.UTC would read the years 1 to 99 as those of the last century.
  const date = new Date(0)
  date.setUTCFullYear(y, m - 1, d)
  date.setUTCHours(h, min, s, Math.floor(Number(`0.${fraction || '0'}`) * 1000))
  return date.getTime() - offset * 60_000
}

function daysOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
