import { expect, it } from 'vitest'
import {
  archiveDefinition,
  createDefinition,
  deleteDefinition,
  disableDefinition,
  newDefinitionVersion,
  publishDefinition,
  updateDefinition,
} from '../../src/catalog.js'
import { isRefusal, type Refusal } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'
import { person } from '../support/run.js'

const simple = document('simple', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end'])
const states = ['DRAFT', 'PUBLISHED', 'DISABLED', 'ARCHIVED'] as const
type State = (typeof states)[number]

onBothDatabases('versions of a definition', (database) => {
  async function inState(engine: Engine, state: State): Promise<string> {
    const { id } = unwrap(await createDefinition(engine.runtime, designer, simple))
    if (state !== 'DRAFT') unwrap(await publishDefinition(engine.runtime, designer, id))
    if (state === 'DISABLED') unwrap(await disableDefinition(engine.runtime, designer, id))
    if (state === 'ARCHIVED') unwrap(await archiveDefinition(engine.runtime, designer, id))
    return id
  }

  it('allow in each state what the state allows, and refuse the rest', async () => {
    const engine = new Engine(database())
    const { runtime } = engine
    const operations: [string, State[], (id: string) => Promise<object | Refusal>][] = [
      ['update', ['DRAFT'], (id) => updateDefinition(runtime, designer, id, simple)],
      ['publish', ['DRAFT'], (id) => publishDefinition(runtime, designer, id)],
      ['disable', ['PUBLISHED'], (id) => disableDefinition(runtime, designer, id)],
      ['archive', [...states], (id) => archiveDefinition(runtime, designer, id)],
      ['delete', ['DRAFT'], (id) => deleteDefinition(runtime, designer, id)],
    ]
    for (const [name, allowed, run] of operations)
      for (const state of states) {
        const outcome = await run(await inState(engine, state))
        const expected = allowed.includes(state) ? null : 'WORKFLOW_CONFLICT_002'
        expect([name, state, isRefusal(outcome) ? outcome.code : null]).toEqual([name, state, expected])
      }
  })

  it('are numbered from 1 in each partition, and keep their name when they are updated', async () => {
    const { runtime } = new Engine(database())
    const elsewhere = { ...person('d', 'design'), tenantId: 't2' }
    const versions = []
    for (const actor of [designer, designer, elsewhere])
      versions.push(unwrap(await createDefinition(runtime, actor, { ...simple, version: 7, status: 'Published' })))
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      [1, 'DRAFT'],
      [2, 'DRAFT'],
      [1, 'DRAFT'],
    ])
    const [first] = versions
    const renamed = unwrap(await updateDefinition(runtime, designer, first?.id ?? '', { ...simple, name: 'other' }))
    expect(renamed).toMatchObject({ name: 'simple', version: 1 })
    expect(await updateDefinition(runtime, elsewhere, first?.id ?? '', simple)).toMatchObject({
      code: 'WORKFLOW_NOTFOUND_001',
    })
    expect(unwrap(await newDefinitionVersion(runtime, designer, 'simple'))).toMatchObject({ version: 3 })
    expect(await newDefinitionVersion(runtime, designer, 'other')).toMatchObject({ code: 'WORKFLOW_NOTFOUND_001' })
  })

  it('start by name as the newest that is published; what runs stays with its own', async () => {
    const engine = new Engine(database())
    await inState(engine, 'PUBLISHED')
    const before = unwrap(await engine.start('simple')).instance
    const second = await inState(engine, 'PUBLISHED')
    await inState(engine, 'DRAFT')
    const newest = async () => unwrap(await engine.start('simple')).instance.definitionVersion
    expect(await newest()).toBe(2)
    const exact = { definition: { name: 'simple', version: 3 } }
    expect(await engine.start('simple', {}, {}, exact)).toMatchObject({ code: 'WORKFLOW_NOTFOUND_001' })
    unwrap(await disableDefinition(engine.runtime, designer, second))
    expect(await newest()).toBe(1)
    const done = unwrap(await engine.complete((await engine.tasks(before.id))[0]?.id ?? '', 'u1'))
    expect(done.instance).toMatchObject({ status: 'COMPLETED', definitionVersion: 1 })
  })
})
