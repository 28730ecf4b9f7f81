import { type Activity, complete } from './activity.js'

/** Takes the first outgoing transition whose condition holds. */
export const decision: Activity = {
  type: 'Decision',
  category: 'flow',
  outgoing: 'Exclusive',
  properties: [],
  execute: () => complete(),
}
