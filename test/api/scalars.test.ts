import { expect, it } from 'vitest'
import { onBothDatabases } from '../support/databases.js'
import { ask, person, refusals } from './ask.js'
import { addDefinitions, addInstances } from './rows.js'

const operator = person('olga', ['operate', 'design'])
const created = 'query ($from: DateTime) { instances(filter: { createdFrom: $from }) { nodes { createdAt } } }'

onBothDatabases('scalars', (database) => {
  it('write a time as UTC with milliseconds and read any offset', async () => {
    const [definition = ''] = await addDefinitions(database(), [{}])
    await addInstances(database(), definition, [{}])
    for (const [from, found] of [
      ['2026-11-30T12:00:00Z', 1],
      ['2026-11-30t20:00:00.000+08:00', 1],
      ['2026-11-30T12:00:00.001Z', 0],
      ['2026-11-30T07:00:00.5-05:00', 0],
    ] as const) {
      const { data, errors } = await ask(database(), operator, created, { from })
      expect(errors).toEqual([])
      expect(data.instances.nodes).toHaveLength(found)
      for (const node of data.instances.nodes)
        expect(node.createdAt.toISOString?.() ?? node.createdAt).toBe('2026-11-30T12:00:00.000Z')
    }
  })

  it('refuse what is no time, in variables and inline', async () => {
    const wrong = ['2026-11-30', '2026-02-30T00:00:00Z', '2026-11-30T25:00:00Z', '0000-01-01T00:00:00Z', 'soon', '']
    for (const from of wrong) {
      const answer = await ask(database(), operator, created, { from })
      expect([from, refusals(answer)]).toEqual([from, [['WORKFLOW_VALIDATION_002', 'workflow.input.datetime_invalid']]])
      const inline = ask(
        database(),
        operator,
        created.replace('query ($from: DateTime)', '').replace('$from', JSON.stringify(from)),
      )
      await expect(inline).rejects.toThrow(/datetime_invalid|RFC 3339|time/i)
    }
  })

  it('refuse inline numbers that a double would change, and reserved keys', async () => {
    const start = (variables: string) =>
      `mutation { startInstance(input: { name: "x", variables: ${variables} }) { instance { id } } }`
    await expect(ask(database(), operator, start('{ id: 9007199254740993 }'))).rejects.toThrow()
    const reserved = await ask(database(), operator, start('{ __proto__: { admin: true } }'))
    expect(refusals(reserved)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.value.key_reserved']])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    const list = await ask(database(), operator, start('[1]'))
    expect(refusals(list)).toEqual([['WORKFLOW_VALIDATION_002', 'workflow.input.object_expected']])
    const unstorable = 'mutation ($v: JSON) { startInstance(input: { name: "x", variables: $v }) { instance { id } } }'
    for (const v of [{ a: 'x\u0000y' }, { 'k\u0000': 1 }, { b: '\ud83d' }])
      expect(refusals(await ask(database(), operator, unstorable, { v }))).toEqual([
        ['WORKFLOW_VALIDATION_002', 'workflow.value.character_invalid'],
      ])
  })
})
