import { Cron } from 'croner'
import type { PropertyIssue } from './activities/activity.js'
import type { Json, WorkflowNode } from './model.js'

export type ScheduleProblem = 'cron' | 'never' | 'zone'
export type NextTime = { ok: true; time: number } | { ok: false; problem: ScheduleProblem }

/**
 * The first moment after another at which a cron schedule fires in its zone. Wall-clock times that do not exist fire
 * at the next existing moment, ambiguous ones once; nothing depends on the zone of the host.
 * @param pattern five fields, or six with the seconds first
 * @param zone an IANA time zone
 * @param after epoch milliseconds
 */
export function nextTime(pattern: string, zone: string, after: number): NextTime {
  if (!isZone(zone)) return { ok: false, problem: 'zone' }
  const fields = pattern.trim().split(/\s+/)
  // The library also knows years, nicknames and single dates; none of them is a schedule here.
  if (fields.length !== 5 && fields.length !== 6) return { ok: false, problem: 'cron' }
  try {
    const next = new Cron(fields.join(' '), { timezone: zone, paused: true }).nextRun(new Date(after))
    return next ? { ok: true, time: next.getTime() } : { ok: false, problem: 'never' }
  } catch {
    return { ok: false, problem: 'cron' }
  }
}

/** Names only: an offset such as +05:00 has no daylight saving to speak of, and not every platform takes it. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

// Any moment does: whether a pattern is one, and ever fires, does not depend on it.
const someTime = Date.UTC(2026, 0, 1)

/** The problems of a node's Cron and TimeZone at design time; with `templates`, those are checked when the node runs. */
export function scheduleIssues(node: WorkflowNode, templates: boolean): PropertyIssue[] {
  const literal = (value: Json | undefined) =>
    typeof value === 'string' && value !== '' && !(templates && value.includes('{{')) ? value : null
  const cron = literal(node.properties.Cron) ?? '* * * * *'
  const zone = literal(node.properties.TimeZone) ?? 'UTC'
  const next = nextTime(cron, zone, someTime)
  return next.ok ? [] : [scheduleIssue(node, next.problem, cron, zone)]
}

/** What is wrong with a schedule, at design time or when it runs. */
export function scheduleIssue(node: WorkflowNode, problem: ScheduleProblem, cron: string, zone: string): PropertyIssue {
  const property = problem === 'zone' ? 'TimeZone' : 'Cron'
  const value = (problem === 'zone' ? zone : cron).slice(0, 100)
  return { property, messageKey: keys[problem], arguments: { node: node.id, property, value } }
}

const keys = {
  cron: 'workflow.activity.property_cron',
  never: 'workflow.activity.property_cron_never',
  zone: 'workflow.activity.property_time_zone',
} as const
