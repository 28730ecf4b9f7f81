import { type Activity, complete } from './activity.js'

/** Takes all outgoing transitions at once. */
export const parallel: Activity = {
  type: 'Parallel',
  category: 'flow',
  outgoing: 'All',
  properties: [],
  execute: () => complete(),
}
