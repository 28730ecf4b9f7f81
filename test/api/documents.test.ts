import { readdirSync, readFileSync } from 'node:fs'
import { Kind, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../schema/index.js'
import { onPostgres } from '../support/databases.js'
import { post, serve } from './network.js'

const folder = new URL('../../clients/graphql/', import.meta.url)
const documents = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

describe('the documents for newcomers', () => {
  it.each(documents)('$name fits the schema and says who runs it', ({ text }) => {
    expect(validate(schema, parse(text))).toEqual([])
    expect(text).toMatch(/^# x-user-id: .+$/m)
  })
})

/** What needs an id that is made at run time. */
const withId: readonly (string | undefined)[] = [
  'PublishDefinition',
  'Approve',
  'Reject',
  'Transfer',
  'Delegate',
  'Return',
  'Claim',
  'Release',
  'Retry',
  'Jump',
  'Migrate',
  'CompleteExternalTask',
]

onPostgres('the documents for newcomers', (_database, url) => {
  it('run as they are on the demo, but for ids to paste', async () => {
    const server = await serve(url())
    for (const { text } of documents) {
      const headers = Object.fromEntries(
        [...text.matchAll(/^# (x-[a-z-]+): (.+)$/gm)].map(([, key, value]) => [key, value]),
      )
      for (const definition of parse(text).definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === 'subscription') continue
        const operationName = definition.name?.value
        const { body } = await post(server, text, headers, { operationName })
        const code = body.errors?.[0].extensions.code
        expect([operationName, code?.replace(/\d+$/, '')]).toEqual([
          operationName,
          withId.includes(operationName) ? 'WORKFLOW_NOTFOUND_' : undefined,
        ])
      }
    }
  })
})
