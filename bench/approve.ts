import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readConfig } from '../src/server/resolveConfig.js'
import { createServer } from '../src/server/server.js'
import type { Approvals } from './clients.js'
import { rateOf, withFreshDatabase } from './database.js'
import { listen, type Sent } from './record.js'

const clients = 16
const approvals = 2000
const goal = 0.45
const tables = ['Instance', 'NodeInstance', 'Bookmark', 'TaskRecord', 'Copy', 'Event', 'IdempotencyKey']

/**
 * Approvals through GraphQL over HTTP, against the floor: the very statements that they sent, sent again by the driver
 * alone on the same rows, statement by statement.
 */
export async function benchApprove(): Promise<void> {
  await withFreshDatabase(async (url) => {
    const config = readConfig({
      DATABASE_URL: url,
      PORT: '0',
      POOL_SIZE: String(clients),
      DEMO: 'false',
      LOG_LEVEL: 'warn',
    })
    // Before the server: its connections keep the function that sends as they find it.
    const recorded = recordTransactions()
    const server = await createServer(config)
    const pool = new pg.Pool({ connectionString: url, max: clients, options: '-c TimeZone=UTC' })
    // The database is dropped with its connections; an idle one must not end the measurement.
    pool.on('error', () => {})
    try {
      const tasks = await prepare(server.url)
      await copyTables(pool, 'keep')
      recorded.start()
      const [rate, cost] = await withCost(tasks.length, () => rateOfClients(server.url, tasks))
      recorded.stop()
      await copyTables(pool, 'restore')
      const [floor, floorCost] = await withCost(tasks.length, () => replay(pool, recorded.transactions))
      const trips = recorded.transactions.map((transaction) => transaction.length)
      console.log(
        `approve over HTTP, ${clients} clients: ${Math.round(rate)}/s, ${Math.max(...trips)} round trips each`,
      )
      console.log(`the same statements by pg alone: ${Math.round(floor)}/s`)
      console.log(`processor time of the process, each: ${cost.toFixed(2)} ms against ${floorCost.toFixed(2)} ms`)
      console.log(`ratio ${(rate / floor).toFixed(2)} (goal: at least ${goal})`)
    } finally {
      await pool.end()
      await server.stop()
    }
  })
}

/** The rate and the milliseconds of processor time that this process took for each: other work on the machine hardly counts. */
async function withCost(count: number, run: () => Promise<number>): Promise<[number, number]> {
  const before = process.cpuUsage()
  const rate = await run()
  const { user, system } = process.cpuUsage(before)
  return [rate, (user + system) / 1000 / count]
}

/** Approvals per second over HTTP. */
export async function approvalRate(server: string): Promise<number> {
  return await rateOfClients(server, await prepare(server))
}

/** What the operations below select. */
interface Answer {
  definition: { id: string }
  instance: { tasks: { id: string }[] }
}

async function ask(url: string, user: string, query: string, variables: object): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': user, 'x-permissions': 'design,operate' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: { it: Answer }; errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]?.message)
  return data.it
}

/** The clients are a process of their own: in this one they would take the time of the server that they wait for. */
async function rateOfClients(server: string, tasks: string[]): Promise<number> {
  const child = fork(fileURLToPath(new URL('./clients.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  try {
    child.send({ server, tasks, clients } satisfies Approvals)
    const [answer] = (await once(child, 'message')) as [{ rate: number } | { error: string }]
    if ('error' in answer) throw new Error(answer.error)
    return answer.rate
  } finally {
    child.kill()
  }
}

async function prepare(url: string): Promise<string[]> {
  const document = {
    name: 'bench',
    nodes: [
      { id: 's', activityType: 'Start' },
      { id: 'a', activityType: 'UserTask', properties: { Assignees: ['u1'] } },
      { id: 'b', activityType: 'UserTask', properties: { Assignees: ['u2'] } },
      { id: 'end', activityType: 'End' },
    ],
    transitions: ['s>a', 'a>b', 'b>end'].map((edge) => {
      const [sourceNodeId, targetNodeId] = edge.split('>')
      return { id: edge.replace('>', '-'), sourceNodeId, targetNodeId }
    }),
  }
  const create =
    'mutation ($document: JSON!) { it: createDefinition(input: { document: $document }) { definition { id } } }'
  const { definition } = await ask(url, 'designer', create, { document })
  const publish = 'mutation ($id: ID!) { it: publishDefinition(input: { id: $id }) { definition { id } } }'
  await ask(url, 'designer', publish, definition)
  const start = 'mutation { it: startInstance(input: { name: "bench" }) { instance { tasks { id } } } }'
  const tasks: string[] = []
  await rateOf(
    Array.from({ length: approvals }, (_, index) => index),
    clients,
    async () => {
      const { instance } = await ask(url, 'u0', start, {})
      tasks.push(instance.tasks[0]?.id ?? '')
    },
  )
  return tasks
}

/** Keeps a copy of the rows, or puts them back as they were. */
async function copyTables(pool: pg.Pool, what: 'keep' | 'restore'): Promise<void> {
  for (const table of tables) {
    if (what === 'keep') await pool.query(`CREATE TABLE "kept${table}" AS TABLE "${table}"`)
    else await pool.query(`TRUNCATE "${table}" CASCADE`)
  }
  if (what === 'restore') for (const table of tables) await pool.query(`INSERT INTO "${table}" TABLE "kept${table}"`)
  await pool.query('CHECKPOINT')
}

/** Records the statements of each transaction of this process. */
function recordTransactions(): { transactions: Sent[][]; start: () => void; stop: () => void } {
  let recording = false
  const transactions: Sent[][] = []
  const open = new WeakMap<object, Sent[]>()
  listen((connection, sent) => {
    if (recording && /^begin/i.test(sent.text)) open.set(connection, [])
    const transaction = open.get(connection)
    transaction?.push(sent)
    if (transaction && /^commit/i.test(sent.text)) {
      transactions.push(transaction)
      open.delete(connection)
    }
  })
  return {
    transactions,
    start() {
      recording = true
    },
    stop() {
      recording = false
    },
  }
}

function replay(pool: pg.Pool, transactions: Sent[][]): Promise<number> {
  return rateOf(transactions, clients, async (transaction) => {
    const client = await pool.connect()
    try {
      for (const { text, values } of transaction) {
        // Prepared once for each connection, as the server does it.
        if (values.length > 0) await client.query({ name: `b${text.length}`, text, values })
        else await client.query(text)
      }
    } finally {
      client.release()
    }
  })
}
