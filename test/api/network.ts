import type { Writable } from 'node:stream'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { seedDemo } from '../../src/demo.js'
import { readConfig } from '../../src/server/resolveConfig.js'
import { createServer, type Server } from '../../src/server/server.js'

/** A server on the database with the demo in it, stopped after the test. */
export async function serve(
  databaseUrl: string,
  environment: Record<string, string> = {},
  log: Writable | null = null,
): Promise<Server> {
  const config = readConfig({ DATABASE_URL: databaseUrl, PORT: '0', DEMO: 'false', POOL_SIZE: '4', ...environment })
  const server = await createServer(config, { log: log ? pino(log) : pino({ level: 'silent' }) })
  onTestFinished(() => server.stop())
  await seedDemo(server.runtime)
  return server
}

export const as = (user: string, permissions = ''): Record<string, string> => ({
  'x-user-id': user,
  ...(permissions && { 'x-permissions': permissions }),
})

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of what it asked for
  body: any
}

/** Posts an operation. */
export async function post(
  { url }: { url: string },
  query: string,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<Answer> {
  return answerOf(
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, ...more }),
    }),
  )
}

/** A response with its body read as JSON, or as text where it is none. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A page.
  }
  return { status: response.status, headers: response.headers, body }
}

/** Starts a one-day leave of alice, which bob is asked to approve, and answers the task's id. */
export async function askForLeave(server: { url: string }): Promise<string> {
  const variables = '{ applicant: "Alice", days: 1, approvers: "bob" }'
  const { body } = await post(
    server,
    `mutation { startInstance(input: { name: "hr.leave", variables: ${variables} }) { instance { tasks { id } } } }`,
    as('alice', 'operate'),
  )
  return body.data.startInstance.instance.tasks[0].id
}
