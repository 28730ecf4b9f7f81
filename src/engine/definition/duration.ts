/** The longest duration, in milliseconds: that of the reference's time spans. */
export const longestDuration = (((10_675_199 * 24 + 2) * 60 + 48) * 60 + 5) * 1000 + 477

const timeSpan = /^(?:(\d{1,8})\.)?(\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,7}))?$/
const iso = /^P(?:(\d{1,6})W)?(?:(\d{1,8})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,3})?)S)?)?$/

/** Reads `[d.]hh:mm:ss[.fff]` or an ISO 8601 duration of days and less, in milliseconds; null when it is neither. */
export function parseDuration(text: string): number | null {
  const span = timeSpan.exec(text)
  if (span) {
    const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = span
    if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
    return within(sum(days, hours, minutes, seconds) + Math.floor(Number(`0.${fraction || '0'}`) * 1000))
  }
  const parts = iso.exec(text)
  if (!parts || text.endsWith('T') || text === 'P') return null
  const [, weeks = '0', days = '0', hours = '0', minutes = '0', seconds = '0'] = parts
  return within(sum(String(Number(weeks) * 7 + Number(days)), hours, minutes, seconds))
}

function sum(days: string, hours: string, minutes: string, seconds: string): number {
  return Math.round((((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)
}

function within(milliseconds: number): number | null {
  return milliseconds <= longestDuration ? milliseconds : null
}

/** Prints milliseconds as `[d.]hh:mm:ss[.fff]`. */
export function printDuration(milliseconds: number): string {
  const pad = (value: number, size = 2) => String(value).padStart(size, '0')
  const seconds = Math.floor(milliseconds / 1000)
  const days = Math.floor(seconds / 86_400)
  const rest = milliseconds % 1000
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part))
  return `${days > 0 ? `${days}.` : ''}${clock.join(':')}${rest > 0 ? `.${pad(rest, 3)}` : ''}`
}
