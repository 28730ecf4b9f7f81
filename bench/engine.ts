import { createRegistry } from '../src/engine/activities/registry.js'
import { decide, decideStart, isOpen } from '../src/engine/decide.js'
import { compileDefinition } from '../src/engine/definition/compile.js'
import { readDefinition } from '../src/engine/definition/read.js'
import { isRefusal } from '../src/engine/model.js'
import { defaultEngineOptions } from '../src/engine/options.js'

const goal = 50_000

/** How many commands the core alone decides in a second: the answer to a task that leads to the next one. */
export async function benchEngine(): Promise<void> {
  const read = readDefinition({
    name: 'loop',
    nodes: [
      { id: 's', activityType: 'Start' },
      { id: 't', activityType: 'UserTask', properties: { Assignees: ['u1'], Title: 'Step {{ n }}' } },
      { id: 'inc', activityType: 'SetVariable', properties: { Expressions: { n: 'n + 1' } } },
      { id: 'd', activityType: 'Decision' },
      { id: 'end', activityType: 'End' },
    ],
    transitions: [
      { id: '1', sourceNodeId: 's', targetNodeId: 't' },
      { id: '2', sourceNodeId: 't', targetNodeId: 'inc' },
      { id: '3', sourceNodeId: 'inc', targetNodeId: 'd' },
      { id: '4', sourceNodeId: 'd', targetNodeId: 'end', condition: 'n < 0' },
      { id: '5', sourceNodeId: 'd', targetNodeId: 't', isDefault: true },
    ],
  })
  if (!read.ok) throw new Error('the definition cannot be read')
  const definition = compileDefinition(read.content)
  const actor = { userId: 'u1', tenantId: '', groups: [], permissions: [] }
  let ids = 0
  const world = {
    now: 0,
    newId: () => `00000000-0000-7000-8000-${String(ids++).padStart(12, '0')}`,
    registry: createRegistry(),
    options: defaultEngineOptions,
  }
  const facts = { tenantId: '', definitionId: 'd', definitionVersion: 1, parent: null }
  const start = {
    type: 'start',
    instanceId: 'i',
    variables: { n: 0 },
    starterId: 'u1',
    correlationId: null,
    displayName: null,
  } as const
  let changes = decideStart(definition, facts, start, world, actor)
  const command = {
    type: 'completeTask',
    comment: null,
    outcome: 'approved',
    variables: {},
    onBehalfOfId: null,
  } as const
  const used = process.cpuUsage()
  const begin = performance.now()
  let commands = 0
  while (performance.now() - begin < 3000) {
    if (isRefusal(changes) || isOpen(changes)) throw new Error('the loop has stopped')
    const { instance, bookmarksInserted: bookmarks, nodeInstances } = changes
    const active = nodeInstances.filter(({ status }) => status === 'WAITING')
    const loaded = { instance, nodeInstances: active, bookmarks, trail: null }
    changes = decide(definition, loaded, { ...command, taskId: bookmarks[0]?.id ?? '' }, world, actor)
    commands += 1
  }
  // Processor time: what else runs on the machine does not count.
  const { user, system } = process.cpuUsage(used)
  const rate = (commands * 1_000_000) / (user + system)
  console.log(`engine core alone: ${Math.round(rate)} commands/s (goal: over ${goal})`)
}
