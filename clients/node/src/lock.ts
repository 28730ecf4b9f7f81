import { backOff, sleep } from './backOff.js'
import type { CountersignClient } from './client.js'
import { CountersignError } from './errors.js'

/** What a lock is kept with. */
export interface LockOptions {
  client: Pick<CountersignClient, 'extendExternalTaskLock'>
  id: string
  workerId: string
  lockSeconds: number
  /** When it was asked for, by `performance.now()`: it holds at least so long from then. */
  since: number
}

/** The lock of a task, extended until it is let go. */
export class Lock {
  private readonly losing = new AbortController()
  private readonly ending = new AbortController()
  private until: number

  constructor(private readonly options: LockOptions) {
    this.until = options.since + options.lockSeconds * 1000
  }

  /** Aborted once the lock is lost: somebody else may have the task now. */
  get lost(): AbortSignal {
    return this.losing.signal
  }

  /** Extends the lock again and again until `release`; resolves when it is lost or let go. */
  async keep(): Promise<void> {
    const third = (this.options.lockSeconds * 1000) / 3
    let failures = 0
    let next = this.until - 2 * third
    for (;;) {
      await sleep(next - performance.now(), this.ending.signal)
      if (this.ending.signal.aborted) return
      if (performance.now() >= this.until) return this.lose('its time has passed')
      try {
        await this.extend()
        failures = 0
        next = this.until - 2 * third
      } catch (error) {
        if (this.ending.signal.aborted) return
        if (error instanceof CountersignError && !error.transient) return this.lose(error)
        next = Math.min(this.until, performance.now() + backOff(failures++))
      }
    }
  }

  /** Stops extending it. */
  release(): void {
    this.ending.abort()
  }

  private async extend(): Promise<void> {
    const { client, id, workerId, lockSeconds } = this.options
    const asked = performance.now()
    // A server that falls silent must not keep the handler at work beyond the lock.
    const timeout = Math.max(1, Math.ceil(Math.min(this.until - asked, (lockSeconds * 1000) / 3)))
    await client.extendExternalTaskLock({ id, workerId, lockSeconds }, { signal: this.ending.signal, timeout })
    this.until = asked + lockSeconds * 1000
  }

  private lose(cause: unknown): void {
    this.losing.abort(new Error('The lock of the task is lost', { cause }))
  }
}
