import { afterEach, expect, it, vi } from 'vitest'
import { type ExternalTask, ExternalTaskWorker, type ExternalTaskWorkerOptions } from '../../clients/node/src/index.js'
import { serve } from '../api/network.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { startProxy } from '../support/proxy.js'
import { order, publishOrders, workerClient } from './workers.js'

const workers = new Set<ExternalTaskWorker>()

afterEach(async () => {
  await Promise.all([...workers].map((worker) => worker.stop(0)))
  workers.clear()
})

function work(options: Omit<ExternalTaskWorkerOptions, 'topic'>): ExternalTaskWorker {
  const worker = new ExternalTaskWorker({ topic: 'ship', lockSeconds: 30, ...options }).start()
  workers.add(worker)
  return worker
}

/** A promise and what settles it. */
function deferred<T = void>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

onPostgres('the worker of the Node client', (database, url) => {
  /** A server behind a proxy, with the process published, and clients through and around the proxy. */
  async function prepare() {
    const server = await serve(url())
    const proxy = await startProxy([server.port])
    const direct = workerClient(server)
    await publishOrders(direct)
    return { server, proxy, direct, client: workerClient(proxy) }
  }

  const until = (client: ReturnType<typeof workerClient>, id: string, status: string) =>
    eventually(async () => expect((await client.instance({ id }))?.status).toBe(status))

  it('does the tasks of its topic, so many at a time, and gives their variables', async () => {
    const { direct } = await prepare()
    const ids = await Promise.all(['1', '2', '3', '4', '5'].map((no) => order(direct, no)))
    let running = 0
    const counts: number[] = []
    work({
      client: direct,
      concurrency: 2,
      handler: async ({ payload }) => {
        counts.push(++running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return { shipped: (payload as { order: string }).order }
      },
    })
    for (const id of ids) await until(direct, id, 'COMPLETED')
    const shipped = await Promise.all(ids.map(async (id) => (await direct.instance({ id }))?.variables))
    expect(shipped).toEqual(['1', '2', '3', '4', '5'].map((no) => ({ no, shipped: no })))
    expect(counts).toHaveLength(5)
    expect(Math.max(...counts)).toBeLessThanOrEqual(2)
  })

  it('reports failures, tries again as it is told, and lets the node fail in the end', async () => {
    const { direct } = await prepare()
    const id = await order(direct, '1')
    const attempts: number[] = []
    const errors: unknown[] = []
    work({
      client: direct,
      handler: ({ attempt }) => {
        attempts.push(attempt)
        throw new Error(`no ship at ${attempt}`)
      },
      retryAfterSeconds: (attempt) => (attempt < 3 ? 0 : null),
      onError: (error) => errors.push(error),
    })
    await until(direct, id, 'FAULTED')
    expect(attempts).toEqual([1, 2, 3])
    expect(errors).toHaveLength(3)
    expect((await direct.instance({ id }))?.fault?.message).toContain('no ship at 3')
  })

  it('reports as a failure what the server does not take for a result', async () => {
    const { direct } = await prepare()
    const id = await order(direct, '1')
    work({ client: direct, handler: () => ({ text: '\0' }), retryAfterSeconds: () => null })
    await until(direct, id, 'FAULTED')
  })

  it('keeps its lock while the handler runs, so that nobody else gets the task', async () => {
    const { direct, server } = await prepare()
    const extend = vi.spyOn(direct, 'extendExternalTaskLock')
    const done = deferred()
    const handler = vi.fn(() => done.promise.then(() => ({ by: 'first' })))
    work({ client: direct, lockSeconds: 2, handler })
    const id = await order(direct, '1')
    await eventually(() => expect(handler).toHaveBeenCalledOnce())
    const other = vi.fn(() => ({ by: 'second' }))
    work({ client: workerClient(server), lockSeconds: 2, handler: other })
    // Four extensions are more time than the lock had.
    await eventually(() => expect(extend.mock.calls.length).toBeGreaterThanOrEqual(4))
    done.resolve()
    await until(direct, id, 'COMPLETED')
    expect(other).not.toHaveBeenCalled()
    expect((await direct.instance({ id }))?.variables).toMatchObject({ by: 'first' })
  })

  it('aborts the handler when the lock is lost, and leaves the task to whoever has it', async () => {
    const { direct, proxy, client } = await prepare()
    const id = await order(direct, '1')
    const started = deferred<ExternalTask>()
    const lost = deferred()
    work({
      client,
      lockSeconds: 2,
      handler: async (task, { signal }) => {
        started.resolve(task)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        lost.resolve()
        return { by: 'first' }
      },
    })
    await started.promise
    proxy.ports = []
    proxy.cut()
    await lost.promise
    work({ client: direct, handler: () => ({ by: 'second' }) })
    await until(direct, id, 'COMPLETED')
    expect((await direct.instance({ id }))?.variables).toMatchObject({ by: 'second' })
  })

  it('takes a task for done whose completion was carried out but not answered', async () => {
    const { direct, proxy, client } = await prepare()
    const id = await order(direct, '1')
    const handler = vi.fn(() => ({ ok: true }))
    const onError = vi.fn()
    const completions = vi.spyOn(client, 'completeExternalTask')
    proxy.loseAnswerTo = 'mutation CompleteExternalTask'
    const worker = work({ client, handler, onError })
    await until(direct, id, 'COMPLETED')
    await worker.stop()
    expect(proxy.loseAnswerTo).toBeNull()
    expect(completions).toHaveBeenCalledTimes(2)
    expect(handler).toHaveBeenCalledOnce()
    expect(onError).not.toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ topic: 'ship' }))
  })

  it('comes back after the server was away', async () => {
    const { direct, proxy, client } = await prepare()
    const onError = vi.fn()
    const { ports } = proxy
    proxy.ports = []
    work({ client, handler: () => ({ ok: true }), onError })
    await eventually(() => expect(onError).toHaveBeenCalledWith(expect.objectContaining({ transient: true }), null))
    const id = await order(direct, '1')
    proxy.ports = ports
    await until(direct, id, 'COMPLETED')
  })

  it('stops when what it does is done, and fetches nothing more', async () => {
    const { direct } = await prepare()
    const id = await order(direct, '1')
    const done = deferred()
    const handler = vi.fn(() => done.promise.then(() => undefined))
    const worker = work({ client: direct, handler })
    await eventually(() => expect(handler).toHaveBeenCalledOnce())
    const stopped = vi.fn()
    const stopping = worker.stop().then(stopped)
    const next = await order(direct, '2')
    expect(stopped).not.toHaveBeenCalled()
    done.resolve()
    await stopping
    expect(await direct.instance({ id })).toMatchObject({ status: 'COMPLETED' })
    expect(await direct.instance({ id: next })).toMatchObject({ status: 'RUNNING' })
    expect(handler).toHaveBeenCalledOnce()
  })

  it('gives its task to others at once, as the same attempt, when its patience ends', async () => {
    const { direct } = await prepare()
    const id = await order(direct, '1')
    const handler = vi.fn(
      (_task: ExternalTask, { signal }: { signal: AbortSignal }) =>
        new Promise<undefined>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const worker = work({ client: direct, lockSeconds: 600, handler })
    await eventually(() => expect(handler).toHaveBeenCalledOnce())
    await worker.stop(0)
    const attempts: number[] = []
    work({ client: direct, handler: ({ attempt }) => void attempts.push(attempt) })
    await until(direct, id, 'COMPLETED')
    expect(attempts).toEqual([1])
    expect(await database().prisma.bookmark.count({ where: { kind: 'EXTERNAL' } })).toBe(0)
  })
})

it('refuses what would make no worker', () => {
  const client = workerClient({ url: 'http://127.0.0.1' })
  const handler = () => undefined
  expect(() => new ExternalTaskWorker({ client, topic: 't', handler, lockSeconds: 1 })).toThrow(RangeError)
  expect(() => new ExternalTaskWorker({ client, topic: 't', handler, concurrency: 0 })).toThrow(RangeError)
})
