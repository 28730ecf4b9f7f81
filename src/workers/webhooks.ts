import { randomUUID } from 'node:crypto'
import type { Fault } from '../engine/model.js'
import { releaseRelay } from '../persistence/relayPosition.js'
import { finishAttempt, type TakenDelivery, takeDelivery } from '../persistence/webhookDeliveries.js'
import { webhookRelay } from '../persistence/webhooks.js'
import type { Runtime } from '../runtime.js'
import { signedHeaders } from '../webhookSignature.js'
import { planWebhooks } from './webhookPlanner.js'

/** Posts a message. @returns the status of the answer and, unless it was taken, why not; throws only at the signal */
export type Post = (
  message: { url: string; headers: { [name: string]: string }; body: string },
  timeout: number,
  signal: AbortSignal,
) => Promise<{ statusCode: number | null; fault: Fault | null }>

export interface WebhookWorker {
  start(): void
  /** Takes nothing new; resolves when what is being sent has been answered or has timed out. */
  stop(): Promise<void>
  /** Something was committed: look now instead of at the next poll. */
  wake(): void
  /** Plans and sends what is due. Answers how many attempts it made. */
  runCycle(): Promise<number>
}

const second = 1000
const day = 86_400 * second
/** How long an endpoint may take to answer. */
const timeout = 15 * second
const lease = 30 * second
/** Attempts at the same time, half of them at most at one endpoint: a slow one must not hold up the others. */
const lanes = 10

/**
 * Sends events to the endpoints that want them: signed, at least once, in order for each instance, for a day. All nodes
 * send; a lease tells who tries which, and one that was lost is tried again.
 */
export function createWebhookWorker(
  runtime: Runtime,
  { post, pollInterval }: { post: Post; pollInterval: number },
): WebhookWorker {
  const node = randomUUID()
  const stopping = new AbortController()
  const sending = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> | null = null
  let started = false
  let again = false

  const timeNow = () => runtime.clock?.now() ?? null

  async function runCycle(): Promise<number> {
    await planWebhooks(runtime, node)
    let attempts = 0
    let open = 0
    async function lane(): Promise<void> {
      while (!stopping.signal.aborted) {
        const id = randomUUID()
        const taken = await takeDelivery(runtime.database.prisma, timeNow(), { id, milliseconds: lease }, busy())
        if (!taken) return
        attempts += 1
        count(taken.webhookId, 1)
        // Where there is one, there may be more.
        const other = open < lanes ? openLane() : null
        try {
          await attempt(taken, id)
        } finally {
          count(taken.webhookId, -1)
          await other
        }
      }
    }
    function openLane(): Promise<void> {
      open += 1
      return lane().finally(() => {
        open -= 1
      })
    }
    await openLane()
    return attempts
  }

  function busy(): string[] {
    return [...sending].filter(([, running]) => running >= lanes / 2).map(([id]) => id)
  }

  function count(webhookId: string, more: number): void {
    sending.set(webhookId, (sending.get(webhookId) ?? 0) + more)
    if (sending.get(webhookId) === 0) sending.delete(webhookId)
  }

  async function attempt(delivery: TakenDelivery, leaseId: string): Promise<void> {
    const begin = performance.now()
    const { statusCode, fault } = await send(delivery)
    const durationMs = Math.round(performance.now() - begin)
    const outcome = { statusCode, fault, durationMs, delay: delayAfter(delivery.attempts), limit: day }
    await finishAttempt(runtime.database, delivery, leaseId, outcome, timeNow())
  }

  function send({ url, secret, previousSecret, eventId, body, takenAt }: TakenDelivery) {
    const secrets = previousSecret === null ? [secret] : [secret, previousSecret]
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'Countersign',
      ...signedHeaders(secrets, eventId, body, takenAt.getTime()),
    }
    return post({ url, headers, body }, timeout, stopping.signal)
  }

  function schedule(delay: number): void {
    if (!started) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      again = false
      running = runCycle()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted)
            runtime.log.warn({ err: error }, 'webhooks could not be sent and are tried again')
        })
        .finally(() => {
          running = null
          schedule(again ? 0 : pollInterval)
        })
    }, delay)
  }

  return {
    start() {
      started = true
      schedule(0)
    },
    async stop() {
      started = false
      if (timer) clearTimeout(timer)
      stopping.abort(new Error('the server stops'))
      await running
      await releaseRelay(runtime.database.prisma, { name: webhookRelay, node })
    },
    wake() {
      again = true
      if (running === null) schedule(0)
    },
    runCycle,
  }
}

/** 5 seconds after the first attempt, then three times as long each time, at most 4 hours; and up to a tenth more. */
function delayAfter(attempts: number): number {
  const delay = Math.min(5 * second * 3 ** (attempts - 1), 4 * 3600 * second)
  return Math.round(delay * (1 + Math.random() / 10))
}
