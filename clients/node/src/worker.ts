import { Aborter } from './abort.js'
import { backOff, sleep } from './backOff.js'
import type { CountersignClient } from './client.js'
import { CountersignError } from './errors.js'
import type { ExternalTask } from './generated.js'
import type { Json } from './json.js'
import { Lock } from './lock.js'

/** What the worker needs of a client. */
export type WorkerClient = Pick<
  CountersignClient,
  'fetchExternalTasks' | 'completeExternalTask' | 'failExternalTask' | 'extendExternalTaskLock'
>

/**
 * Does one task and gives the variables that its instance goes on with. It may be run more than once for one task: after
 * a crash, or when the lock was lost.
 * @param signal aborted when the lock is lost or the worker ends: what is done from then on counts for nothing
 */
export type ExternalTaskHandler = (
  task: ExternalTask,
  context: { signal: AbortSignal },
) => Promise<Variables | undefined> | Variables | undefined

type Variables = { [name: string]: Json | undefined }
type Outcome = { variables: Variables } | { error: unknown }

export interface ExternalTaskWorkerOptions {
  client: WorkerClient
  topic: string
  handler: ExternalTaskHandler
  /** Who locks the tasks; another one in each process. By default one at random. */
  workerId?: string
  /** How long a task stays locked when this process dies; from 2. While the handler runs the lock is extended. */
  lockSeconds?: number
  /** How many tasks are done at a time. */
  concurrency?: number
  /** When a task that failed is tried again, in seconds; null fails its node. By default twice: after 10 and 40 seconds. */
  retryAfterSeconds?: (attempt: number, error: unknown) => number | null
  /** Told what went wrong: a failed task, a lost lock, a server that does not answer. */
  onError?: (error: unknown, task: ExternalTask | null) => void
}

const longestWait = 20
const answerTime = 30_000

/** Fetches the tasks of a topic and does them, until it is stopped. */
export class ExternalTaskWorker {
  readonly workerId: string
  private readonly client: WorkerClient
  private readonly options: Required<Omit<ExternalTaskWorkerOptions, 'client' | 'workerId'>>
  private readonly stopping = new AbortController()
  private readonly giveUp = new AbortController()
  private readonly running = new Set<Promise<void>>()
  private fetching: Promise<void> | null = null

  constructor(options: ExternalTaskWorkerOptions) {
    this.client = options.client
    this.workerId = options.workerId ?? `worker-${crypto.randomUUID()}`
    this.options = {
      topic: options.topic,
      handler: options.handler,
      lockSeconds: options.lockSeconds ?? 60,
      concurrency: options.concurrency ?? 1,
      retryAfterSeconds: options.retryAfterSeconds ?? retryTwice,
      onError: options.onError ?? (() => {}),
    }
    if (this.options.lockSeconds < 2) throw new RangeError('lockSeconds must be at least 2')
    if (this.options.concurrency < 1) throw new RangeError('concurrency must be at least 1')
  }

  /** Begins to fetch. */
  start(): this {
    this.fetching ??= this.fetchUntilStopped()
    return this
  }

  /**
   * Fetches no more and waits for what is being done.
   * @param patience milliseconds; the handlers that are not done by then are aborted and their tasks left to others
   */
  async stop(patience = Number.POSITIVE_INFINITY): Promise<void> {
    this.stopping.abort()
    const timer = Number.isFinite(patience) ? setTimeout(() => this.giveUp.abort(), patience) : undefined
    await this.fetching
    await Promise.all(this.running)
    clearTimeout(timer)
  }

  private async fetchUntilStopped(): Promise<void> {
    const { signal } = this.stopping
    const { concurrency, onError } = this.options
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    let failures = 0
    while (!signal.aborted) {
      const free = concurrency - this.running.size
      // Nothing is fetched that could not be begun at once, so that nothing has to be given back.
      if (free <= 0) {
        await Promise.race([...this.running, stopped])
        continue
      }
      try {
        await this.fetch(free)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        onError(error, null)
        await sleep(backOff(failures++), signal)
      }
    }
  }

  private async fetch(maxTasks: number): Promise<void> {
    const { topic, lockSeconds } = this.options
    const { workerId } = this
    // The lock counts from before the request: what is waited for here is missing from it.
    const since = performance.now()
    const waitSeconds = Math.min(longestWait, Math.floor(lockSeconds / 2))
    const input = { topic, workerId, lockSeconds, maxTasks: Math.min(100, maxTasks), waitSeconds }
    const { signal } = this.stopping
    const { tasks } = await this.client.fetchExternalTasks(input, { signal, timeout: waitSeconds * 1000 + answerTime })
    for (const task of tasks) {
      const work = this.work(task, since).catch((error: unknown) => this.options.onError(error, task))
      this.running.add(work)
      work.finally(() => this.running.delete(work))
    }
  }

  private async work(task: ExternalTask, since: number): Promise<void> {
    const { client, workerId } = this
    const { lockSeconds } = this.options
    const lock = new Lock({ client, id: task.id, workerId, lockSeconds, since })
    const kept = lock.keep()
    const aborter = new Aborter(lock.lost, this.giveUp.signal)
    try {
      await this.do(task, aborter.signal)
    } finally {
      aborter.free()
      lock.release()
      await kept
    }
    // The shortest lock lets others have it at once; a failure would count as an attempt.
    if (this.giveUp.signal.aborted && !lock.lost.aborted)
      await client.extendExternalTaskLock({ id: task.id, workerId, lockSeconds: 1 }).catch(() => {})
  }

  private async do(task: ExternalTask, signal: AbortSignal): Promise<void> {
    const { id } = task
    const { workerId, client } = this
    let outcome = await this.handle(task, signal)
    if ('variables' in outcome) {
      const { variables } = outcome
      try {
        return await this.tell(signal, () => client.completeExternalTask({ id, workerId, variables }, { signal }))
      } catch (error) {
        if (signal.aborted || isGone(error)) throw error
        // What the server does not take would be done again for ever.
        outcome = { error }
      }
    }
    const { error } = outcome
    this.options.onError(error, task)
    if (signal.aborted) return
    const retryAfterSeconds = this.options.retryAfterSeconds(task.attempt, error)
    const input = { id, workerId, error: error instanceof Error ? error.message : String(error), retryAfterSeconds }
    await this.tell(signal, () => client.failExternalTask(input, { signal }))
  }

  private async handle(task: ExternalTask, signal: AbortSignal): Promise<Outcome> {
    try {
      return { variables: (await this.options.handler(task, { signal })) ?? {} }
    } catch (error) {
      return { error }
    }
  }

  /** Tells the server what came of a task until it answers. After a lost answer, a task that is gone has been taken. */
  private async tell(signal: AbortSignal, request: () => Promise<unknown>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        signal.throwIfAborted()
        await request()
        return
      } catch (error) {
        if (failures > 0 && error instanceof CountersignError && error.code === 'WORKFLOW_NOTFOUND_003') return
        if (!(error instanceof CountersignError && error.transient)) throw error
        await sleep(backOff(failures), signal)
      }
    }
  }
}

/** Whether there is nothing left to report: the task, its instance or its lock is gone. */
function isGone(error: unknown): boolean {
  return error instanceof CountersignError && /^WORKFLOW_(NOTFOUND|CONFLICT|DENIED)_/.test(error.code)
}

function retryTwice(attempt: number): number | null {
  return attempt <= 2 ? 10 * 4 ** (attempt - 1) : null
}
