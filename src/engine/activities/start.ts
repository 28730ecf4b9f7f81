import { scheduleIssues } from '../schedule.js'
import { type Activity, complete } from './activity.js'

/** Where every instance begins; one whose start is put off waits here for its time. */
export const start: Activity = {
  type: 'Start',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: [
    { name: 'SignalName', type: 'string', required: false, defaultValue: null },
    { name: 'Cron', type: 'string', required: false, defaultValue: null },
    { name: 'Form', type: 'schema', required: false, defaultValue: null },
    { name: 'TimeZone', type: 'string', required: false, defaultValue: 'UTC' },
  ],
  validate: (node) => scheduleIssues(node, false),
  execute({ execution: { startAt, world } }) {
    if (startAt === null || startAt <= world.now) return complete()
    const timer = { kind: 'TIMER', key: null, correlationId: null, dueAt: startAt, payload: {}, task: null } as const
    return { kind: 'suspend', state: {}, bookmarks: [timer] }
  },
}
