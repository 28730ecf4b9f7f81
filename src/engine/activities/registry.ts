import { createExpressionCache } from '../expression/cache.js'
import type { Activity } from './activity.js'
import { decision } from './decision.js'
import { end } from './end.js'
import { fault } from './fault.js'
import { join } from './join.js'
import { log } from './log.js'
import { parallel } from './parallel.js'
import { setVariable } from './setVariable.js'
import { start } from './start.js'
import { terminate } from './terminate.js'
import { userTask } from './userTask.js'
import { waitSignal } from './waitSignal.js'

/** The kinds of nodes and assignee rules that one engine knows, and its parsed expressions. */
export interface Registry {
  activities: ReadonlyMap<string, Activity>
  assigneeRules: ReadonlySet<string>
  expressions: ReturnType<typeof createExpressionCache>
}

const builtIn: readonly Activity[] = [
  start,
  end,
  terminate,
  setVariable,
  decision,
  parallel,
  join,
  userTask,
  waitSignal,
  log,
  fault,
]

/**
 * The registry of the built-in activities.
 * @param expressionCacheSize how many parsed expressions are kept
 */
export function createRegistry(expressionCacheSize = 10_000): Registry {
  return {
    activities: new Map(builtIn.map((activity) => [activity.type, activity])),
    assigneeRules: new Set(['User', 'Starter', 'Expression']),
    expressions: createExpressionCache(expressionCacheSize),
  }
}
