import { randomUUID } from 'node:crypto'
import { type LeasedJob, leaseJobs, renewLease } from '../persistence/locks.js'
import type { Runtime } from '../runtime.js'
import { type DoJob, runJob } from './jobRun.js'

export interface JobWorkerOptions {
  /** How to do the work, by the kind of job. */
  kinds: { [kind: string]: DoJob }
  /** How often jobs are looked for, in milliseconds. */
  pollInterval: number
  /** How many jobs run at once on this node. */
  concurrency: number
  /** How long the jobs of a node that died stand still, in milliseconds; a living node renews their leases. */
  lease?: number
  /** How long a stopping node waits for running jobs, in milliseconds. */
  patience?: number
}

export interface JobWorker {
  start(): void
  /** Takes no new jobs and gives running ones a short time; the leases free the rest for other nodes. */
  stop(): Promise<void>
  /** Does all jobs that can be taken now, and those that come meanwhile. Answers how many it took. */
  runCycle(): Promise<number>
  wake(): void
}

interface Running {
  job: LeasedJob
  controller: AbortController
  done: Promise<void>
}

/** Does jobs on this node, outside any transaction. Every node does: a lease tells whose a job is. */
export function createJobWorker(runtime: Runtime, options: JobWorkerOptions): JobWorker {
  const { pollInterval, concurrency, lease = 10_000, patience = 3000 } = options
  const running = new Set<Running>()
  let timer: NodeJS.Timeout | null = null
  let renewal: NodeJS.Timeout | null = null
  let claiming: Promise<unknown> = Promise.resolve()
  let state: 'idle' | 'started' | 'stopped' = 'idle'
  let woken = false

  /** One claim after the other: two at once would take more than there is room for. */
  function claim(): Promise<number> {
    const claimed = claiming.then(async () => {
      const limit = concurrency - running.size
      if (state === 'stopped' || limit <= 0) return 0
      const jobs = await leaseJobs(runtime.database.prisma, timeOf(runtime), {
        lease: randomUUID(),
        milliseconds: lease,
        limit,
      })
      for (const job of jobs) begin(job)
      return jobs.length
    })
    claiming = claimed.catch(() => {})
    return claimed
  }

  function begin(job: LeasedJob): void {
    const controller = new AbortController()
    const done = runJob(runtime, options.kinds[job.kind], job, controller.signal).finally(() => {
      running.delete(item)
      if (running.size === 0 && renewal) clearInterval(renewal)
      if (running.size === 0) renewal = null
      // There is room again.
      wake()
    })
    const item: Running = { job, controller, done }
    running.add(item)
    renewal ??= setInterval(() => {
      for (const held of running) void renew(held)
    }, lease / 3)
  }

  async function renew({ job, controller }: Running): Promise<void> {
    try {
      const held = await renewLease(runtime.database.prisma, timeOf(runtime), job, lease)
      if (!held) controller.abort(new Error('the job was taken away'))
    } catch (error) {
      runtime.log.warn({ err: error, job: job.id }, 'a lease could not be renewed')
    }
  }

  function next(delay: number): void {
    if (timer) clearTimeout(timer)
    timer = setTimeout(async () => {
      woken = false
      await claim().catch((error: unknown) => runtime.log.error({ err: error }, 'jobs could not be taken; tried again'))
      if (state === 'started') next(woken ? 0 : pollInterval)
    }, delay)
  }

  function wake(): void {
    woken = true
    if (state === 'started') next(0)
  }

  return {
    start() {
      state = 'started'
      next(0)
    },
    async stop() {
      state = 'stopped'
      if (timer) clearTimeout(timer)
      await claiming
      const late = setTimeout(() => {
        for (const { controller } of running) controller.abort(new Error('the server stops'))
      }, patience)
      await Promise.all([...running].map(({ done }) => done))
      clearTimeout(late)
    },
    async runCycle() {
      for (let taken = 0; ; ) {
        const claimed = await claim()
        taken += claimed
        if (claimed === 0 && running.size === 0) return taken
        if (running.size > 0) await Promise.race([...running].map(({ done }) => done))
      }
    },
    wake,
  }
}

function timeOf({ clock }: Runtime): number | null {
  return clock?.now() ?? null
}
