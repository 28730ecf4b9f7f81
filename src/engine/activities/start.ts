import { type Activity, complete } from './activity.js'

/** Where every instance begins. */
export const start: Activity = {
  type: 'Start',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: [
    { name: 'SignalName', type: 'string', required: false, defaultValue: null },
    { name: 'Cron', type: 'string', required: false, defaultValue: null },
    { name: 'TimeZone', type: 'string', required: false, defaultValue: null },
  ],
  execute: () => complete(),
}
