import { longestDuration, parseDuration } from '../definition/duration.js'
import type { Execution } from '../execution.js'
import { parseExpression } from '../expression/parse.js'
import type { Fault, Json, WorkflowNode } from '../model.js'
import { evaluateText, renderProperty, renderText } from '../properties.js'
import { nextTime, scheduleIssue, scheduleIssues } from '../schedule.js'
import { latestTime, parseTime, timeAfter } from '../time.js'
import type { Activity, PropertyIssue } from './activity.js'
import { propertyFault } from './propertyFault.js'

type Due = { ok: true; time: number } | { ok: false; fault: Fault }

/** Waits for a time: so long, until a moment, or until a schedule fires next. A moment that has passed is due at once. */
export const delay: Activity = {
  type: 'Delay',
  category: 'event',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Duration', type: 'json', required: false, defaultValue: null },
    { name: 'Until', type: 'template', required: false, defaultValue: null },
    { name: 'Cron', type: 'template', required: false, defaultValue: null },
    { name: 'TimeZone', type: 'template', required: false, defaultValue: 'UTC' },
  ],
  validate(node) {
    const given = (['Duration', 'Until', 'Cron'] as const).filter((name) => isGiven(node.properties[name]))
    const [first, second] = given
    const about = { node: node.id }
    if (!first) return [{ property: 'Duration', messageKey: 'workflow.activity.delay_missing', arguments: about }]
    if (second) return [{ property: second, messageKey: 'workflow.activity.delay_ambiguous', arguments: about }]
    if (first === 'Duration') return durationIssues(node)
    return first === 'Until' ? untilIssues(node) : scheduleIssues(node, true)
  },
  execute({ execution, node }) {
    const due = dueOf(execution, node)
    if (!due.ok) return { kind: 'fail', fault: due.fault }
    const timer = { kind: 'TIMER', key: null, correlationId: null, dueAt: due.time, payload: {}, task: null } as const
    return { kind: 'suspend', state: {}, bookmarks: [timer] }
  },
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

function dueOf(execution: Execution, node: WorkflowNode): Due {
  if (isGiven(node.properties.Duration)) return afterDuration(execution, node, node.properties.Duration ?? null)
  if (isGiven(node.properties.Until)) return atMoment(execution, node, String(node.properties.Until))
  return onSchedule(execution, node)
}

/** Seconds, a duration, or what an expression or a template gives of these. */
function afterDuration(execution: Execution, node: WorkflowNode, property: Json): Due {
  const value = textValue(execution, property, parseDuration)
  if (!value.ok) return value
  const milliseconds = millisecondsOf(value.value)
  if (milliseconds === null) return wrong(node, 'Duration', value.value)
  const { now } = execution.world
  if (now + milliseconds > latestTime) return wrong(node, 'Duration', value.value)
  // What is computed may lie in the past; it is due at once.
  return { ok: true, time: timeAfter(now, Math.max(0, milliseconds)) }
}

function millisecondsOf(value: Json): number | null {
  if (typeof value === 'number') return value * 1000
  if (typeof value !== 'string') return null
  const text = value.trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text)
}

/** A moment as it is written, or what an expression or a template gives. */
function atMoment(execution: Execution, node: WorkflowNode, property: string): Due {
  const value = textValue(execution, property, parseTime)
  if (!value.ok) return value
  const time = typeof value.value === 'string' ? parseTime(value.value) : null
  return time === null || time > latestTime ? wrong(node, 'Until', value.value) : { ok: true, time }
}

function onSchedule(execution: Execution, node: WorkflowNode): Due {
  const cron = renderProperty(execution, node, 'Cron')
  if (!cron.ok) return cron
  const zone = renderProperty(execution, node, 'TimeZone')
  if (!zone.ok) return zone
  const zoneText = zone.value === '' ? 'UTC' : zone.value
  const next = nextTime(cron.value, zoneText, execution.world.now)
  if (next.ok) return next
  return { ok: false, fault: propertyFault(scheduleIssue(node, next.problem, cron.value, zoneText)) }
}

/** What a property comes to: a text that can be read stands for itself, another one is a template or an expression. */
function textValue(execution: Execution, property: Json, read: (text: string) => number | null) {
  if (typeof property !== 'string' || read(property) !== null) return { ok: true, value: property } as const
  return property.includes('{{') ? renderText(execution, property) : evaluateText(execution, property)
}

function durationIssues(node: WorkflowNode): PropertyIssue[] {
  const value = node.properties.Duration ?? null
  const milliseconds = millisecondsOf(value)
  const fits = milliseconds === null ? isComputed(value) : milliseconds >= 0 && milliseconds <= longestDuration
  return fits ? [] : [issueOf(node, 'Duration', value)]
}

function untilIssues(node: WorkflowNode): PropertyIssue[] {
  const value = String(node.properties.Until)
  // A day that the month does not have reads as a subtraction.
  const fits = parseTime(value) !== null || (!/^\s*\d{4}-\d{2}-\d{2}/.test(value) && isComputed(value))
  return fits ? [] : [issueOf(node, 'Until', value)]
}

/** Whether it is a template, which is checked as every one is, or an expression. */
function isComputed(value: Json): boolean {
  return typeof value === 'string' && (value.includes('{{') || parseExpression(value).ok)
}

function wrong(node: WorkflowNode, property: 'Duration' | 'Until', value: Json): Due {
  return { ok: false, fault: propertyFault(issueOf(node, property, value)) }
}

function issueOf(node: WorkflowNode, property: 'Duration' | 'Until', value: Json): PropertyIssue {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
  return {
    property,
    messageKey: property === 'Duration' ? 'workflow.activity.property_duration' : 'workflow.activity.property_time',
    arguments: { node: node.id, property, value: text },
  }
}
