import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { nextTime } from '../../src/engine/schedule.js'
import { latestTime, parseTime, timeAfter } from '../../src/engine/time.js'

function times(pattern: string, zone: string, after: string, count: number): string[] {
  const found: string[] = []
  for (let at = Date.parse(after); found.length < count; ) {
    const next = nextTime(pattern, zone, at)
    if (!next.ok) throw new Error(next.problem)
    at = next.time
    found.push(new Date(at).toISOString())
  }
  return found
}

describe('schedules', () => {
  it('take five fields, or six with the seconds first', () => {
    expect(times('30 9 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T09:30:00.000Z'])
    expect(times('15 30 9 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T09:30:15.000Z'])
  })

  it('fire strictly after the moment they are asked for', () => {
    expect(times('0 9 * * *', 'UTC', '2026-01-01T09:00:00Z', 1)).toEqual(['2026-01-02T09:00:00.000Z'])
    expect(times('0 9 * * *', 'UTC', '2026-01-01T08:59:59.999Z', 1)).toEqual(['2026-01-01T09:00:00.000Z'])
  })

  it('fire at the next existing moment where daylight saving skips their time', () => {
    const fired = times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)
    expect(fired).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'])
  })

  it('fire once where daylight saving repeats their time', () => {
    const fired = times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)
    expect(fired).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  })

  it('of every hour fire every real hour, through both changes', () => {
    for (const start of ['2026-03-28T20:30:00Z', '2026-10-24T20:30:00Z']) {
      const fired = times('0 * * * *', 'Europe/Berlin', start, 12).map((text) => Date.parse(text))
      expect(fired.slice(1).map((time, index) => time - (fired[index] ?? 0))).toEqual(Array(11).fill(3_600_000))
    }
  })

  it.each(['', '* * *', '@daily', '2027-01-01T00:00:00', '61 * * * *', '0 0 0 1 1 * 2030', 'soon', '*/0 * * * *'])(
    'are not what %j is',
    (pattern) => {
      expect(nextTime(pattern, 'UTC', 0)).toEqual({ ok: false, problem: 'cron' })
    },
  )

  it.each(['0 0 30 2 *', '0 0 31 4,6 *'])('that never come, such as %j, are told of', (pattern) => {
    expect(nextTime(pattern, 'UTC', Date.parse('2026-01-01T00:00:00Z'))).toEqual({ ok: false, problem: 'never' })
  })

  it.each(['Mars/Base', '+05:00', '', 'GMT+2'])('know no zone %j', (zone) => {
    expect(nextTime('0 9 * * *', zone, 0)).toEqual({ ok: false, problem: 'zone' })
  })

  it('C13 do not depend on the zone of the host', () => {
    const script = `
      const { nextTime } = await import('./src/engine/schedule.ts')
      const { parseTime } = await import('./src/engine/time.ts')
      const out = [parseTime('2026-03-29T02:30:00'), parseTime('2026-03-29')]
      for (const [cron, zone, after] of [
        ['0 0 * * * *', 'UTC', '2025-10-04T12:00:00Z'],
        ['30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z'],
        ['0 2 * * *', 'Australia/Sydney', '2025-10-03T12:00:00Z'],
      ]) {
        let at = Date.parse(after)
        for (let step = 0; step < 30; step += 1) { at = nextTime(cron, zone, at).time; out.push(at) }
      }
      console.log(JSON.stringify(out))`
    const inZone = (TZ: string) =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        encoding: 'utf8',
        env: { ...process.env, TZ },
      })
    const utc = inZone('UTC')
    expect(inZone('Australia/Sydney')).toBe(utc)
    expect(inZone('Europe/Berlin')).toBe(utc)
    const hours = (JSON.parse(utc) as number[]).slice(2, 32)
    expect(hours.slice(1).map((time, index) => time - (hours[index] ?? 0))).toEqual(Array(29).fill(3_600_000))
  })
})

describe('times', () => {
  it.each([
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05T09:30', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:15.25', '2026-01-05T09:30:15.250Z'],
    ['2026-01-05 09:30:15z', '2026-01-05T09:30:15.000Z'],
    ['2026-01-05T09:30:00+08:00', '2026-01-05T01:30:00.000Z'],
    ['2024-02-29T00:00:00-0530', '2024-02-29T05:30:00.000Z'],
  ])('%s is read as %s', (text, iso) => {
    expect(new Date(parseTime(text) ?? Number.NaN).toISOString()).toBe(iso)
  })

  it.each(['', 'tomorrow', '2026-02-30', '2025-02-29', '2026-13-01', '2026-01-05T24:00', '2026-01-05T09:30+25:00'])(
    '%j is none',
    (text) => {
      expect(parseTime(text)).toBeNull()
    },
  )

  it('never leave the range of dates, and never come early', () => {
    expect(timeAfter(0, Number.POSITIVE_INFINITY)).toBe(latestTime)
    expect(timeAfter(1000, 0.25)).toBe(1001)
  })
})
