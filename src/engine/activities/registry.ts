import { createExpressionCache } from '../expression/cache.js'
import { builtInAssigneeRules } from '../tasks/assignees.js'
import type { Activity } from './activity.js'
import { compensate } from './compensate.js'
import { decision } from './decision.js'
import { delay } from './delay.js'
import { end } from './end.js'
import { eventGateway } from './eventGateway.js'
import { externalTask } from './externalTask.js'
import { fault } from './fault.js'
import { forEach } from './forEach.js'
import { http } from './http.js'
import { join } from './join.js'
import { log } from './log.js'
import { parallel } from './parallel.js'
import { publishEvent } from './publishEvent.js'
import { setVariable } from './setVariable.js'
import { start } from './start.js'
import { subWorkflow } from './subWorkflow.js'
import { terminate } from './terminate.js'
import { userTask } from './userTask.js'
import { waitSignal } from './waitSignal.js'

/** The kinds of nodes and assignee rules that one engine knows, and its parsed expressions. */
export interface Registry {
  activities: ReadonlyMap<string, Activity>
  assigneeRules: ReadonlySet<string>
  /** Whether the application wants to hear of an outcome before the instance ends with it. */
  handlesOutcomes: boolean
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
  delay,
  userTask,
  publishEvent,
  waitSignal,
  eventGateway,
  http,
  externalTask,
  log,
  fault,
  subWorkflow,
  forEach,
  compensate,
]

/** What an application adds; the code behind it is the shell's to run. */
export interface RegistryExtensions {
  activities: readonly Activity[]
  assigneeRules: readonly string[]
  handlesOutcomes: boolean
}

const none: RegistryExtensions = { activities: [], assigneeRules: [], handlesOutcomes: false }

/**
 * The registry of the built-in activities and of those that an application adds.
 * @param expressionCacheSize how many parsed expressions are kept
 */
export function createRegistry(expressionCacheSize = 10_000, extensions = none): Registry {
  return {
    activities: new Map([...builtIn, ...extensions.activities].map((activity) => [activity.type, activity])),
    assigneeRules: new Set([...builtInAssigneeRules, ...extensions.assigneeRules]),
    handlesOutcomes: extensions.handlesOutcomes,
    expressions: createExpressionCache(expressionCacheSize),
  }
}
