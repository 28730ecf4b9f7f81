import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command, StartCommand } from '../../src/engine/command.js'
import { validateDefinition } from '../../src/engine/definition/validate.js'
import type { JsonObject } from '../../src/engine/model.js'
import { checkInvariants } from '../support/invariants.js'
import { define, person, Run, type Sketch } from '../support/run.js'

/** A part of a process with one way in and one way out. */
type Part =
  | {
      kind: 'task'
      policy: string
      people: number
      threshold: string | number | null
      timeout: boolean
      excluded: boolean
      group: boolean
      same: string
      rejects: number | null
    }
  | { kind: 'set' }
  | { kind: 'signal' }
  | { kind: 'delay'; seconds: number }
  | { kind: 'gate'; timeout: boolean }
  | { kind: 'publish' }
  | { kind: 'faulty'; attempts: number; goesOn: boolean }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'parallel'; parts: Part[]; any: boolean }
  | { kind: 'choice'; parts: Part[] }
  | { kind: 'loop'; part: Part; rounds: number }

const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'part' },
    {
      // Tasks are what most can be tried on.
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('task' as const),
        policy: fc.constantFrom('Any', 'All', 'Sequential'),
        people: fc.integer({ min: 1, max: 4 }),
        threshold: fc.constantFrom(null, 1, 2, 9, '50%', '60%', '100%'),
        timeout: fc.boolean(),
        excluded: fc.boolean(),
        group: fc.boolean(),
        same: fc.constantFrom('Ask', 'Ask', 'Skip', 'AutoApprove'),
        rejects: fc.constantFrom(null, null, 1, 2),
      }),
    },
    fc.constant<Part>({ kind: 'set' }),
    fc.constant<Part>({ kind: 'signal' }),
    fc.record({ kind: fc.constant('delay' as const), seconds: fc.integer({ min: 0, max: 20_000 }) }),
    fc.record({ kind: fc.constant('gate' as const), timeout: fc.boolean() }),
    fc.constant<Part>({ kind: 'publish' }),
    fc.record({ kind: fc.constant('faulty' as const), attempts: fc.integer({ min: 1, max: 3 }), goesOn: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom('sequence' as const, 'choice' as const),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('parallel' as const),
      parts: fc.array(tie('part'), { minLength: 2, maxLength: 3 }),
      any: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('loop' as const), part: tie('part'), rounds: fc.integer({ min: 1, max: 3 }) }),
  ),
}))

/** Draws the part as nodes and edges between Start and End. */
function draw(root: Part): Sketch {
  const nodes: Sketch['nodes'] = { s: 'Start', end: ['End', { Outcome: 'done' }] }
  const edges: string[] = []
  let count = 0
  const name = (kind: string) => `${kind}${count++}`
  const edge = (from: string, to: string, rest = '') => edges.push(`${from}>${to}${rest}`)

  /** Adds the part behind `from`, reached over an edge with `rest`; answers its last node. */
  function add(current: Part, from: string, rest = ''): string {
    const single = (kind: string, node: Sketch['nodes'][string]): string => {
      const id = name(kind)
      nodes[id] = node
      edge(from, id, rest)
      return id
    }
    switch (current.kind) {
      case 'task': {
        const Assignees = Array.from({ length: current.people }, (_, index) => `u${index}`)
        const properties: JsonObject = { Assignees, CompletionPolicy: current.policy, ReminderAfterSeconds: 900 }
        if (current.group) Assignees.push('group:g')
        if (current.same !== 'Ask') properties.SameApproverStrategy = current.same
        if (current.rejects !== null) properties.RejectThreshold = current.rejects
        if (current.threshold !== null) properties.ApprovalThreshold = current.threshold
        if (current.excluded) Object.assign(properties, { ExcludeStarter: true, EmptyAssigneeStrategy: 'AutoApprove' })
        return single('task', ['UserTask', properties, { timeout: current.timeout ? 3_600_000 : null }])
      }
      case 'set':
        return single('set', ['SetVariable', { Expressions: { n: 'n + 1' } }])
      case 'signal':
        return single('signal', ['WaitSignal', { SignalName: 'go' }])
      case 'delay':
        return single('delay', ['Delay', { Duration: current.seconds }])
      case 'gate': {
        const properties = { Signals: ['go', 'stop'], TimeoutSeconds: current.timeout ? 5000 : null }
        return single('gate', ['EventGateway', properties])
      }
      case 'publish':
        return single('publish', ['PublishEvent', { EventName: 'n{{ n }}', Payload: ['{{ n }}'] }])
      case 'faulty': {
        const retryPolicy = { maxAttempts: current.attempts, firstDelay: 60_000, backoffFactor: 2 }
        const options = { retryPolicy, continueOnError: current.goesOn }
        return single('faulty', ['SetVariable', { Expressions: { bad: '1 / broken' } }, options])
      }
      case 'sequence':
        return current.parts.reduce((last, next, index) => add(next, last, index === 0 ? rest : ''), from)
      case 'parallel': {
        const fork = single('fork', 'Parallel')
        const join = name('join')
        nodes[join] = ['Join', { Mode: current.any ? 'WaitAny' : 'WaitAll' }]
        for (const branch of current.parts) edge(add(branch, fork), join)
        return join
      }
      case 'choice': {
        const choice = single('choice', 'Decision')
        const after = name('after')
        nodes[after] = ['SetVariable', {}]
        for (const [index, branch] of current.parts.entries())
          edge(add(branch, choice, index === 0 ? ' default' : ` ? n % 3 == ${index}`), after)
        return after
      }
      case 'loop': {
        const counter = name('round')
        const begin = single('begin', ['SetVariable', { Values: { [counter]: 0 } }])
        const entry = name('entry')
        nodes[entry] = ['SetVariable', { Expressions: { [counter]: `${counter} + 1` } }]
        edge(begin, entry)
        const decision = name('again')
        nodes[decision] = 'Decision'
        edge(add(current.part, entry), decision)
        edge(decision, entry, ` ? ${counter} < ${current.rounds}`)
        const out = name('out')
        nodes[out] = ['SetVariable', {}]
        edge(decision, out, ' default')
        return out
      }
    }
  }

  edge(add(root, 's'), 'end')
  return { nodes, edges }
}

/** One thing that somebody tries; numbers choose among what there is. */
const step = fc.record({
  what: fc.constantFrom(
    ...([
      'complete',
      'complete',
      'complete',
      'complete',
      'complete',
      'stale',
      'transfer',
      'add',
      'claim',
      'claim',
      'release',
      'release',
      'release',
      'delegate',
      'delegate',
      'remove',
      'comment',
      'takeBack',
      'takeBack',
      'takeBack',
      'handOver',
    ] as const),
    ...(['return', 'urge', 'poll', 'poll', 'signal', 'suspend', 'resume', 'retry', 'retry', 'jump', 'set'] as const),
    ...(['cancel', 'terminate', 'withdraw', 'hand', 'hand'] as const),
  ),
  pick: fc.nat(1000),
  other: fc.nat(1000),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const nothing = 'ffffffff-0000-7000-8000-000000000000'

function tryStep(run: Run, { what, pick, other }: Step, seen: string[]): void {
  const tasks = run.tasks()
  const task = tasks[pick % Math.max(1, tasks.length)]
  const taskId = task?.id ?? nothing
  // One time in five somebody tries who may not.
  const holder = task?.key?.startsWith('group:') ? `u${pick % 7}` : (task?.key ?? 'u1')
  const userId = other % 5 === 0 ? 'stranger' : holder
  const nodeIds = run.definition.content.nodes.map(({ id }) => id)
  const instanceId = run.instance.id
  const outcome = ['approved', 'approved', 'rejected', 'nonsense'][other % 4] ?? ''
  const comment = null
  const complete = (id: string): Exclude<Command, StartCommand> => ({
    type: 'completeTask',
    taskId: id,
    outcome,
    comment,
    variables: { n: other },
    onBehalfOfId: null,
  })
  const attempt = (command: Exclude<Command, StartCommand>, user: string | null = userId) =>
    run.do(
      command,
      user === null
        ? null
        : {
            ...person(user, ...(user === 'operator' ? (['operate'] as const) : [])),
            // All are in the group but those who have no business here.
            groups: user.startsWith('u') ? ['g'] : [],
          },
    )
  switch (what) {
    case 'complete':
      return void attempt(complete(taskId))
    case 'stale':
      return void attempt(complete(seen[pick % Math.max(1, seen.length)] ?? nothing))
    case 'transfer':
      return void attempt({ type: 'transferTask', taskId, toUserId: `u${other % 7}`, comment })
    case 'add':
      return void attempt({ type: 'addAssignees', taskId, userIds: [`u${other % 7}`, `u${pick % 7}`], comment })
    case 'remove':
      return void attempt({ type: 'removeAssignees', taskId, userIds: [`u${other % 7}`, `u${pick % 7}`], comment })
    case 'delegate':
      return void attempt({ type: 'delegateTask', taskId, toUserId: `u${other % 9}`, comment })
    case 'comment':
      return void attempt({ type: 'commentTask', taskId, comment: other % 2 === 0 ? 'so' : ' ' })
    case 'takeBack': {
      const answered = run.records.filter(({ action, actorId }) => action === 'COMPLETED' && actorId !== null)
      const last = answered.at(-1 - (other % 2))
      return void attempt(
        { type: 'takeBackTask', taskId: last?.taskId ?? taskId, comment },
        other % 5 === 0 ? userId : (last?.actorId ?? userId),
      )
    }
    case 'handOver': {
      const hands = { fromUserId: task?.key ?? 'u1', toUserId: `u${other % 9}`, comment }
      return void attempt({ type: 'handOverTask', taskId, ...hands }, other % 5 === 0 ? userId : 'operator')
    }
    case 'withdraw':
      return void attempt({ type: 'withdraw', instanceId, reason: null }, other % 4 === 0 ? userId : 'u0')
    case 'claim':
      return void attempt({ type: 'claimTask', taskId, comment })
    case 'release':
      return void attempt({ type: 'releaseTask', taskId, comment })
    case 'return': {
      const toNodeId = other % 3 === 0 ? (nodeIds[pick % nodeIds.length] ?? null) : null
      return void attempt({ type: 'returnTask', taskId, toNodeId, comment, resubmit: pick % 2 === 0 })
    }
    case 'urge':
      return void attempt({ type: 'urgeTask', taskId, comment })
    case 'poll':
      run.now += other * 10_000
      return run.poll()
    case 'signal':
      return void run.signal('go')
    case 'hand': {
      const bookmarks = [...run.bookmarks.values()]
      const bookmarkId = bookmarks[pick % Math.max(1, bookmarks.length)]?.id ?? nothing
      const inputs: JsonObject = other % 3 === 0 ? { outcome } : { n: other }
      const expectedKey = other % 7 === 0 ? 'go' : null
      return void attempt({ type: 'resumeBookmark', bookmarkId, inputs, expectedKey }, 'operator')
    }
    case 'suspend':
      return void attempt({ type: 'suspend', instanceId, reason: null }, 'operator')
    case 'resume':
      return void attempt({ type: 'resume', instanceId }, 'operator')
    case 'retry':
      attempt({ type: 'setVariables', instanceId, set: other % 2 === 0 ? { broken: 2 } : {}, remove: [] }, 'operator')
      return void attempt({ type: 'retry', instanceId }, 'operator')
    case 'jump':
      return void attempt(
        { type: 'jump', instanceId, targetNodeId: nodeIds[pick % nodeIds.length] ?? '', reason: null },
        'operator',
      )
    case 'set':
      return void attempt({ type: 'setVariables', instanceId, set: { n: other }, remove: ['bad'] }, 'operator')
    case 'cancel':
    case 'terminate':
      // Seldom: an ended instance has little left to try.
      if (other % 6 === 0) attempt({ type: what, instanceId, reason: null }, 'operator')
  }
}

const ended = new Set(['COMPLETED', 'CANCELED', 'TERMINATED'])
const runs = Number(process.env.RANDOM_RUNS ?? 2000)

describe('random processes and commands', () => {
  it(`hold the invariants after each of 60 steps, ${runs} times`, () => {
    const known = new Run(define({ nodes: { s: 'Start', e: 'End' }, edges: ['s>e'] })).known
    const reached = new Set<string>()
    fc.assert(
      fc.property(part, fc.array(step, { minLength: 60, maxLength: 60 }), (root, steps) => {
        const definition = define(draw(root))
        const wrong = validateDefinition(definition.content, known).find(({ severity }) => severity === 'ERROR')
        if (wrong) throw new Error(`the random process is not valid: ${JSON.stringify(wrong)}`)
        const run = new Run(definition, { n: 0 }, { correlationId: 'k' })
        run.replays = true
        const seen: string[] = []
        checkInvariants(run)
        for (const current of steps) {
          seen.push(...run.tasks().map(({ id }) => id))
          const before = run.instance.status
          tryStep(run, current, seen)
          checkInvariants(run)
          if (ended.has(before) && run.instance.status !== before) throw new Error('an ended instance went on')
          reached.add(run.instance.status)
          for (const event of run.events) reached.add(event.type)
        }
      }),
      { numRuns: runs },
    )
    // A random walk that never gets anywhere would prove nothing.
    for (const state of ['COMPLETED', 'FAULTED', 'SUSPENDED', 'CANCELED', 'TERMINATED'])
      expect(reached).toContain(state)
    for (const what of [
      'completed',
      'transferred',
      'claimed',
      'released',
      'returned',
      'urged',
      'reminder',
      'delegated',
      'assignees_removed',
      'taken_back',
      'withdrawn',
      'commented',
    ])
      expect(reached).toContain(`workflow.task.${what}`)
    expect(reached).toContain('workflow.instance.jumped')
  }, 600_000)
})
