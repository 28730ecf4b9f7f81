import pg from 'pg'
import { openDatabase } from '../src/persistence/database.js'
import { readPage } from '../src/persistence/page.js'
import { openPartition } from '../src/persistence/partition.js'
import { taskList } from '../src/persistence/taskList.js'
import { readConfig } from '../src/server/resolveConfig.js'
import { createServer } from '../src/server/server.js'
import { addCrowd, type CrowdSize, somebody } from '../test/support/crowd.js'
import { approvalRate } from './approve.js'
import { withFreshDatabase } from './database.js'
import { recordStatements, type Sent } from './record.js'

const large: CrowdSize = { instances: 1_000_000, tasks: 1_000_000, people: 1_000 }
const small: CrowdSize = { ...large, instances: 1_000, tasks: 1_000 }
const rounds = 60

const page = 'nodes { id title } pageInfo { hasNextPage endCursor }'
const inbox = `query ($after: String) { list: tasks(first: 50, after: $after) { ${page} totalCount } }`
const inboxPage = `query ($after: String) { list: tasks(first: 50, after: $after) { ${page} } }`
const instances = `query ($keyword: String, $after: String) {
  list: instances(first: 50, after: $after, filter: { keyword: $keyword }) { ${page} } }`
const fullInbox = `{ list: tasks(first: 50) { nodes { title
  instance { title starter { name } definition { title } } } pageInfo { endCursor } } }`
const detail = `query ($id: ID!) { list: instance(id: $id) { title variables trail(first: 50) { nodes { nodeId status } }
  bookmarks { kind dueAt } tasks { title } history { nodes { action comment } } } }`

/** The lists of an approval centre on a million instances and a million open tasks, against their goals. */
export async function benchLists(): Promise<void> {
  const recorder = recordStatements()
  let approvals = 0
  await withFreshDatabase(async (url) => {
    const begin = performance.now()
    await addCrowd(url, large)
    console.log(`a million instances and tasks in ${Math.round((performance.now() - begin) / 1000)} s (goal: 600 s)`)
    await withServer(url, async (server) => {
      await measureLists(url, server, recorder)
      approvals = await approvalRate(server)
    })
  })
  await withFreshDatabase(async (url) => {
    await addCrowd(url, small)
    await withServer(url, async (server) => {
      const few = await approvalRate(server)
      report('approvals with a million instances, against a thousand', few / approvals, 1.2)
    })
  })
}

async function withServer(url: string, run: (server: string) => Promise<void>): Promise<void> {
  const server = await createServer(readConfig({ DATABASE_URL: url, PORT: '0', DEMO: 'false', LOG_LEVEL: 'warn' }))
  try {
    await run(server.url)
  } finally {
    await server.stop()
  }
}

interface List {
  pageInfo: { endCursor: string }
}

type Recorder = ReturnType<typeof recordStatements>

async function measureLists(url: string, server: string, recorder: Recorder): Promise<void> {
  const read = (query: string, variables = {}, groups = '') => ask(server, query, variables, groups)
  const sentBy = async (query: string, variables = {}) => (await recorder.during(() => read(query, variables))).sent
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    await measureInbox(url, client, () => read(inbox), await sentBy(inbox))
    for (const [name, query] of Object.entries({ inbox: inboxPage, instances })) {
      const deep = name === 'inbox' ? 10 : 5_000
      const { pageInfo } = await read(
        query
          .replace('($after: String)', '')
          .replace(', $after: String', '')
          .replace('after: $after', `skip: ${50 * (deep - 2)}`),
      )
      const after = pageInfo.endCursor
      report(
        `${name}: page ${deep} by cursor, against the first`,
        (await median(() => read(query, { after }))) / (await median(() => read(query))),
        1.2,
      )
    }
    for (const keyword of [
      '采购',
      '王芳',
      '龘龘',
      'e',
      'q',
      '#',
      'conference 9',
      'office chair',
      'zz',
      'request for',
      '99999',
    ])
      report(`keyword ${keyword} over all instances, ms`, await median(() => read(instances, { keyword })), 25)
    const groups = Array.from({ length: 1_000 }, (_, index) => `g${index}`).join(',')
    const one = await median(() => read(inboxPage, {}, 'g0'))
    report(
      'inbox of a person with 1,000 groups, against 1',
      (await median(() => read(inboxPage, {}, groups))) / one,
      1.5,
    )
    report('statements of an inbox page with instance, definition, starter', (await sentBy(fullInbox)).length, 4)
    const { rows } = await client.query<{ id: string }>('SELECT id FROM "Instance" LIMIT 1 OFFSET 1000')
    report('statements of an instance in detail', (await sentBy(detail, { id: rows[0]?.id })).length, 4)
  } finally {
    await client.end()
  }
}

/** The inbox as the engine's library reads it, against the same SQL; and over HTTP, where GraphQL comes on top. */
async function measureInbox(
  url: string,
  client: pg.Client,
  overHttp: () => Promise<unknown>,
  sent: Sent[],
): Promise<void> {
  const floor = await replayed(client, sent)
  const database = await openDatabase({ url })
  try {
    const partition = openPartition(database.prisma, '')
    const page = { size: 50, backward: false, after: null, before: null, skip: 0 }
    const inside = await median(() => readPage(partition, taskList({}, [], [somebody], new Date()), page, true))
    report('inbox with total, against its SQL by pg', inside / floor, 1.5)
  } finally {
    await database.close()
  }
  console.log(`        over HTTP, parsed, resolved and serialized: ${((await median(overHttp)) / floor).toFixed(2)}`)
}

async function ask(server: string, query: string, variables: object, groups: string): Promise<List> {
  const response = await fetch(`${server}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-user-id': somebody,
      'x-permissions': 'operate',
      'x-groups': groups,
    },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: { list: List }; errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]?.message)
  return data.list
}

/** The p50 in milliseconds. */
async function median(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now()
    await run()
    times.push(performance.now() - begin)
  }
  return times.sort((a, b) => a - b)[rounds >> 1] ?? 0
}

/** The p50 of the same statements, one after the other, prepared as the server prepares them. */
function replayed(client: pg.Client, sent: Sent[]): Promise<number> {
  return median(async () => {
    for (const [index, { text, values }] of sent.entries()) await client.query({ name: `b${index}`, text, values })
  })
}

function report(what: string, reached: number, goal: number): void {
  console.log(`${reached <= goal ? 'reached' : 'MISSED '} ${what}: ${reached.toFixed(2)} (goal: at most ${goal})`)
}
