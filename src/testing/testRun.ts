import { RefusedError } from '../embedded/refused.js'
import { type HttpRequest, httpJob } from '../engine/activities/http.js'
import type { Actor, Command, StartCommand } from '../engine/command.js'
import type { JobResult } from '../engine/jobs.js'
import {
  type BookmarkState,
  type EventState,
  type Fault,
  type InstanceState,
  isRefusal,
  type JsonObject,
  type NodeInstanceState,
  type TaskRecordState,
} from '../engine/model.js'
import { FaultError, noExtensions } from '../extensions.js'
import { compileForTest } from './compile.js'
import { type Case, Memory } from './memory.js'
import { noDatabase } from './noDatabase.js'
import type { TestOptions } from './options.js'

export interface TestTask {
  id: string
  nodeId: string
  title: string
  assigneeId: string
  claimedById: string | null
  /** The instance that asks: the run's own, or a child. */
  instanceId: string
}

/** What is said with an answer, and which task is meant where a person has several. */
export interface TestAnswer {
  node?: string
  comment?: string
  variables?: JsonObject
}

type Other = Exclude<Command, StartCommand>

/** Starts a definition in memory and runs it until it waits or ends. @throws Error that lists the problems of a wrong one */
export async function testRun(definition: object, options: TestOptions = {}): Promise<TestRun> {
  const extensions = { ...noExtensions, ...options.extensions }
  const compiled = [definition, ...(options.definitions ?? [])].map((document) => compileForTest(document, extensions))
  const [first] = compiled
  if (!first) throw new Error('there is no definition')
  const definitions = new Map(compiled.map((one) => [one.content.name, one]))
  const now = new Date(options.now ?? '2026-01-05T09:00:00Z').getTime()
  const memory = new Memory({ definitions, extensions, now, tx: options.tx ?? noDatabase })
  const run = new TestRun(memory, memory.newId(), options)
  await run.begin(first.content.name)
  return run
}

/** One run of a definition, with its children. Commands throw a `RefusedError` where the engine refuses them. */
export class TestRun {
  constructor(
    private readonly memory: Memory,
    private readonly id: string,
    private readonly options: TestOptions,
  ) {}

  /** Starts the instance; `testRun` has done it. */
  async begin(name: string): Promise<void> {
    const starter = this.person(this.options.starter ?? 'starter')
    const started = await this.memory.start(
      name,
      {
        type: 'start',
        instanceId: this.id,
        variables: this.options.variables ?? {},
        starterId: starter.userId,
        correlationId: this.options.correlationId ?? null,
        displayName: null,
      },
      starter,
    )
    if (isRefusal(started)) throw new RefusedError(started)
    await this.calm()
  }

  get instance(): InstanceState {
    return this.own.instance
  }

  get status(): InstanceState['status'] {
    return this.instance.status
  }

  get outcome(): string | null {
    return this.instance.outcome
  }

  get variables(): JsonObject {
    return this.instance.variables
  }

  get fault(): Fault | null {
    return this.instance.fault
  }

  get now(): Date {
    return new Date(this.memory.now)
  }

  /** The nodes in the order in which they began, each as often as it ran. */
  get path(): string[] {
    return this.trail.map(({ nodeId }) => nodeId)
  }

  /** What became of each run of a node, and why the flow went where it went. */
  get trail(): NodeInstanceState[] {
    return [...this.own.nodes.values()]
  }

  get events(): EventState[] {
    return this.own.events
  }

  /** What people did. */
  get history(): TaskRecordState[] {
    return this.own.records
  }

  /** The instances that the run has started, its grandchildren too. */
  get children(): InstanceState[] {
    return [...this.memory.cases.values()].map(({ instance }) => instance).filter(({ id }) => id !== this.id)
  }

  /** All open tasks, those of children too. */
  get tasks(): TestTask[] {
    return this.bookmarks('USER_TASK').map(({ bookmark, instanceId }) => ({
      id: bookmark.id,
      nodeId: bookmark.nodeId ?? '',
      title: bookmark.task?.title ?? '',
      assigneeId: bookmark.key ?? '',
      claimedById: bookmark.task?.claimedBy ?? null,
      instanceId,
    }))
  }

  /** The open tasks that this person may answer, those of the person's groups too. */
  tasksOf(userId: string): TestTask[] {
    const keys = [userId, ...(this.options.groups?.[userId] ?? []).map((group) => `group:${group}`)]
    return this.tasks.filter(
      ({ assigneeId, claimedById }) => keys.includes(assigneeId) && (claimedById ?? userId) === userId,
    )
  }

  approve(userId: string, answer: TestAnswer = {}): Promise<void> {
    return this.complete(userId, 'approved', answer)
  }

  reject(userId: string, answer: TestAnswer = {}): Promise<void> {
    return this.complete(userId, 'rejected', answer)
  }

  /** Answers the task of this person. @throws Error where there is none, or several and no node is named */
  async complete(userId: string, outcome: string, answer: TestAnswer = {}): Promise<void> {
    const { id: taskId } = this.taskOf(userId, answer.node)
    const { comment = null, variables = {} } = answer
    await this.do({ type: 'completeTask', taskId, outcome, comment, variables, onBehalfOfId: null }, userId)
  }

  /** The one task of this person. @throws Error where there is none, or several and no node is named */
  taskOf(userId: string, nodeId?: string): TestTask {
    const tasks = this.tasksOf(userId).filter((task) => nodeId === undefined || task.nodeId === nodeId)
    const [task] = tasks
    const open = this.tasks.map((one) => `${one.assigneeId} at ${one.nodeId}`).join(', ') || 'none'
    if (!task) throw new Error(`${userId} has no open task${nodeId ? ` at ${nodeId}` : ''}; open are: ${open}`)
    if (tasks.length > 1) throw new Error(`${userId} has several open tasks, name a node; open are: ${open}`)
    return task
  }

  /**
   * Carries out any command of the engine.
   * @param userId who acts; by default an operator
   */
  async do(command: Other, userId?: string): Promise<void> {
    const actor =
      userId === undefined ? { ...this.person('operator'), permissions: ['admin' as const] } : this.person(userId)
    const refused = await this.memory.carryOut(this.instanceOf(command), command, actor)
    if (refused) throw new RefusedError(refused)
    await this.calm()
  }

  /** Sends a signal to whoever waits for it. @returns how many went on */
  async signal(
    name: string,
    payload: JsonObject | null = null,
    correlationId = this.instance.correlationId,
  ): Promise<number> {
    let resumed = 0
    for (const { bookmark, instanceId } of this.bookmarks('SIGNAL')) {
      if (bookmark.key !== name) continue
      if (bookmark.correlationId !== null && bookmark.correlationId !== correlationId) continue
      const command = { type: 'signalBookmark', bookmarkId: bookmark.id, name, payload } as const
      if (!(await this.memory.carryOut(instanceId, command, null))) resumed += 1
    }
    await this.calm()
    return resumed
  }

  /** Completes the oldest external task of a topic, as a worker would. @throws Error where there is none */
  finish(topic: string, variables: JsonObject = {}): Promise<void> {
    return this.work(topic, (bookmarkId, workerId) => ({
      type: 'completeExternalTask',
      bookmarkId,
      workerId,
      variables,
    }))
  }

  /** Reports that the oldest external task of a topic has failed. @param retryAfterSeconds when it may be tried again */
  fail(topic: string, error: string, retryAfterSeconds: number | null = null): Promise<void> {
    const retryAfter = retryAfterSeconds === null ? null : retryAfterSeconds * 1000
    return this.work(topic, (bookmarkId, workerId) => ({
      type: 'failExternalTask',
      bookmarkId,
      workerId,
      error,
      retryAfter,
    }))
  }

  /** Lets time pass: what comes due meanwhile happens in its order, each at its time. */
  async advance(span: { days?: number; hours?: number; minutes?: number; seconds?: number }): Promise<void> {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = span
    const end = this.memory.now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    const tried = new Set<string>()
    for (;;) {
      const [next] = this.due(end).filter(({ bookmark }) => !tried.has(`${bookmark.id} ${bookmark.dueAt}`))
      if (!next) break
      const { bookmark, instanceId } = next
      // What cannot be resumed now, of a suspended instance, must not keep time from passing.
      tried.add(`${bookmark.id} ${bookmark.dueAt}`)
      this.memory.now = Math.max(this.memory.now, bookmark.dueAt ?? 0)
      await this.memory.carryOut(instanceId, { type: 'dueBookmark', bookmarkId: bookmark.id }, null)
      await this.calm()
    }
    this.memory.now = end
    await this.calm()
  }

  private get own(): Case {
    return this.memory.caseOf(this.id)
  }

  private person(userId: string): Actor {
    return { userId, tenantId: '', groups: this.options.groups?.[userId] ?? [], permissions: [] }
  }

  private bookmarks(kind?: BookmarkState['kind']): { bookmark: BookmarkState; instanceId: string }[] {
    return [...this.memory.cases.values()].flatMap(({ instance, bookmarks }) =>
      [...bookmarks.values()]
        .filter((bookmark) => kind === undefined || bookmark.kind === kind)
        .map((bookmark) => ({ bookmark, instanceId: instance.id })),
    )
  }

  private due(end: number) {
    return this.bookmarks()
      .filter(({ bookmark: { dueAt } }) => dueAt !== null && dueAt <= end)
      .sort((a, b) => (a.bookmark.dueAt ?? 0) - (b.bookmark.dueAt ?? 0))
  }

  private instanceOf(command: Other): string {
    if ('instanceId' in command) return command.instanceId
    const id = 'taskId' in command ? command.taskId : command.bookmarkId
    return this.bookmarks().find(({ bookmark }) => bookmark.id === id)?.instanceId ?? this.id
  }

  private async work(topic: string, commandOf: (id: string, workerId: string) => Other): Promise<void> {
    const waiting = this.bookmarks('EXTERNAL').find(({ bookmark }) => bookmark.key === topic && this.isFree(bookmark))
    if (!waiting) throw new Error(`no external task of the topic ${topic} can be fetched now`)
    this.hold(waiting)
    await this.do(commandOf(waiting.bookmark.id, 'test'), 'test')
  }

  private isFree({ lock }: BookmarkState): boolean {
    return (lock?.until ?? 0) <= this.memory.now
  }

  private hold({ bookmark, instanceId }: { bookmark: BookmarkState; instanceId: string }): void {
    const lock = { by: 'test', until: this.memory.now + 60_000 }
    this.memory.caseOf(instanceId).bookmarks.set(bookmark.id, { ...bookmark, lock })
  }

  /** Does what would happen without anybody's doing, until nothing is left: calls of Http nodes, reports of children. */
  private async calm(): Promise<void> {
    for (;;) {
      await this.memory.deliverNotices()
      const job = this.bookmarks('JOB').find(({ bookmark, instanceId }) => {
        const { status } = this.memory.caseOf(instanceId).instance
        return status === 'RUNNING' && this.isFree(bookmark)
      })
      if (!job) return
      const result = await this.call(job.bookmark)
      this.hold(job)
      const command = { type: 'finishJob', bookmarkId: job.bookmark.id, lease: 'test', result } as const
      await this.memory.carryOut(job.instanceId, command, null)
    }
  }

  private async call({ key, nodeId, payload }: BookmarkState): Promise<JobResult> {
    const request = payload as unknown as HttpRequest
    const { http } = this.options
    if (key !== httpJob || !http)
      throw new Error(`node ${nodeId} calls ${request.url}: give testRun a function \`http\` that answers`)
    try {
      const { status, body = null, headers = {} } = await http(request)
      return { ok: true, output: { status, reason: '', headers, body } }
    } catch (error) {
      if (error instanceof FaultError) return { ok: false, fault: error.fault }
      throw error
    }
  }
}
