import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withFreshDatabase } from './database.js'

const idle = 2000
const events = 2000
const perSecond = 200

/** What a process of the measurement is told to be. */
export type Role =
  | { role: 'server'; url: string }
  | { role: 'bare' }
  | { role: 'clients'; server: string; count: number }
  | { role: 'listener'; server: string }
  | { role: 'writer'; server: string; events: number; perSecond: number }

/**
 * The memory of idle subscribers against those of a bare graphql-ws server; and how long an event takes from the answer of
 * one node to a subscriber of another.
 */
export async function benchSubscribers(): Promise<void> {
  await withFreshDatabase(async (url) => {
    const bare = await memoryOf({ role: 'bare' })
    const ours = await memoryOf({ role: 'server', url })
    console.log(`an idle subscriber: ${ours.toFixed(1)} KB; of bare graphql-ws: ${bare.toFixed(1)} KB`)
    console.log(`ratio ${(ours / bare).toFixed(2)} (goal: under 2), and under 40 KB`)
    await measureLatency(url)
  })
}

/** Kilobytes of resident memory for each of the idle subscribers. */
async function memoryOf(role: Role): Promise<number> {
  const server = await begin(role)
  // The first ones pay for what is loaded once.
  const warm = await begin({ role: 'clients', server: server.answer, count: 100 })
  const before = residentOf(server.child.pid)
  const clients = await begin({ role: 'clients', server: server.answer, count: idle })
  const after = residentOf(server.child.pid)
  for (const { child } of [clients, warm, server]) child.kill()
  return (after - before) / idle
}

function residentOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

async function measureLatency(url: string): Promise<void> {
  const [a, b] = [await begin({ role: 'server', url }), await begin({ role: 'server', url })]
  const listener = await begin({ role: 'listener', server: b.answer })
  const writer = spawnRole()
  const heard = new Map<string, number>()
  listener.child.on('message', ({ instanceId, at }: { instanceId: string; at: number }) => heard.set(instanceId, at))
  writer.send({ role: 'writer', server: a.answer, events, perSecond } satisfies Role)
  const [{ answered }] = (await once(writer, 'message')) as [{ answered: [string, number][] }]
  while (heard.size < events) await once(listener.child, 'message')
  const times = answered.map(([id, at]) => (heard.get(id) ?? Number.NaN) - at).sort((x, y) => x - y)
  const [p50, p99] = [times[events >> 1] ?? 0, times[Math.floor(events * 0.99)] ?? 0]
  console.log(`from the answer of one node to a subscriber of another, at ${perSecond}/s: p50 ${p50} ms, p99 ${p99} ms`)
  console.log(`${p99 < 100 ? 'reached' : 'MISSED '} p99 under 100 ms`)
  for (const child of [a.child, b.child, listener.child, writer]) child.kill()
}

async function begin(role: Role) {
  const child = spawnRole()
  child.send(role)
  const [{ ready }] = (await once(child, 'message')) as [{ ready: string }]
  return { child, answer: ready }
}

function spawnRole(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./subscriber.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  child.once('exit', (code) => code && process.exit(code))
  return child
}
