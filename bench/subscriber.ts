// The processes of the measurement of subscribers: a server, a bare one, idle clients, a listener, a writer.
import { Agent, createServer as createHttpServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocket, WebSocketServer } from 'ws'
import { readConfig } from '../src/server/resolveConfig.js'
import { createServer } from '../src/server/server.js'
import type { Role } from './subscribers.js'

const inbox = 'subscription { taskEvents { cursor type task { id title } } }'
const started = 'subscription { instanceEvents(definitionName: "bench") { type instanceId } }'

process.once('message', (role: Role) => {
  play(role).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})

async function play(role: Role): Promise<void> {
  switch (role.role) {
    case 'server': {
      const config = { DATABASE_URL: role.url, PORT: '0', DEMO: 'false', LOG_LEVEL: 'warn' }
      return tell((await createServer(readConfig(config))).url)
    }
    case 'bare':
      return tell(await serveBare())
    case 'clients': {
      for (let index = 0; index < role.count; index += 1) await subscribe(role.server, `p${index}`, inbox, () => {})
      return tell('')
    }
    case 'listener': {
      await subscribe(role.server, 'operator', started, ({ instanceEvents: event }) => {
        if (event.type === 'workflow.instance.started') process.send?.({ instanceId: event.instanceId, at: Date.now() })
      })
      return tell('')
    }
    case 'writer':
      process.send?.({ answered: await write(role.server, role.events, role.perSecond) })
  }
}

function tell(ready: string): void {
  process.send?.({ ready })
}

async function serveBare(): Promise<string> {
  const schema = buildSchema(
    'type Query { a: Int } type Task { id: ID title: String } type Event { cursor: String type: String task: Task } type Subscription { taskEvents: Event }',
  )
  async function* taskEvents() {
    await new Promise(() => {})
    yield {}
  }
  const http = createHttpServer()
  useServer(
    { schema, roots: { subscription: { taskEvents } } },
    new WebSocketServer({ server: http, path: '/graphql' }),
  )
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

interface Heard {
  instanceEvents: { type: string; instanceId: string }
}

/** Resolves once the server knows of the subscription: it has answered the ping that was sent behind it. */
function subscribe(server: string, userId: string, query: string, hear: (data: Heard) => void): Promise<void> {
  const payload = { 'x-user-id': userId, 'x-permissions': 'operate' }
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    socket.on('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'connection_ack') {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
        socket.send(JSON.stringify({ type: 'ping' }))
      } else if (message.type === 'pong') setTimeout(resolve, 1)
      else if (message.type === 'next') hear(message.payload.data)
    })
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

interface Answer {
  definition: { id: string }
  instance: { id: string }
}

function ask(server: string, query: string, variables: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-user-id': 'w', 'x-permissions': 'design,operate' }
  return new Promise((resolve, reject) => {
    const sent = request(`${server}/graphql`, { method: 'POST', agent, headers }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body).data.it), reject)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ query, variables }))
  })
}

/** Starts instances at an even pace; answers when each was answered. */
async function write(server: string, count: number, perSecond: number): Promise<[string, number][]> {
  const document = {
    name: 'bench',
    nodes: [
      { id: 's', activityType: 'Start' },
      { id: 'end', activityType: 'End' },
    ],
    transitions: [{ id: 't', sourceNodeId: 's', targetNodeId: 'end' }],
  }
  const { definition } = await ask(
    server,
    'mutation ($document: JSON!) { it: createDefinition(input: { document: $document }) { definition { id } } }',
    { document },
  )
  await ask(
    server,
    'mutation ($id: ID!) { it: publishDefinition(input: { id: $id }) { definition { id } } }',
    definition,
  )
  const begin = Date.now()
  const answers: Promise<[string, number]>[] = []
  for (let index = 0; index < count; index += 1) {
    const due = begin + (index * 1000) / perSecond
    while (Date.now() < due) await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - Date.now())))
    answers.push(
      ask(server, 'mutation { it: startInstance(input: { name: "bench" }) { instance { id } } }', {}).then(
        ({ instance }) => [instance.id, Date.now()],
      ),
    )
  }
  return await Promise.all(answers)
}
