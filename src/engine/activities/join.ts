import { type Activity, complete } from './activity.js'

/** Gathers parallel branches; when it runs is decided by the arrivals (see `joins.ts`). */
export const join: Activity = {
  type: 'Join',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Mode', type: 'enum', required: false, defaultValue: 'WaitAll', values: ['WaitAll', 'WaitAny'] },
  ],
  execute: () => complete(),
}
