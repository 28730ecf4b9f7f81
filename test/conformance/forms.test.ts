import { expect, it } from 'vitest'
import { createDefinition, publishDefinition } from '../../src/catalog.js'
import type { JsonObject } from '../../src/engine/model.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

const form = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties,
  ...more,
})

const amount = { amount: { type: 'number', minimum: 1 }, note: { type: 'string', maxLength: 10 } }
const whole = form(
  { ...amount, items: { type: 'array', items: { type: 'string', format: 'date' } } },
  { required: ['amount'] },
)

const expense = (task: JsonObject, start: JsonObject = {}) =>
  document('expense', { s: ['Start', start], t: ['UserTask', { Assignees: ['u1'], ...task }], end: 'End' }, [
    's>t',
    't>end',
  ])

const paths = (outcome: object) =>
  ((outcome as { violations?: { path: string; messageKey: string }[] }).violations ?? []).map(
    ({ path, messageKey }) => [path, messageKey.replace('workflow.form.', '')],
  )

onBothDatabases('forms', (database) => {
  it('refuse an answer that does not fit, and name every field', async () => {
    const engine = new Engine(database())
    await engine.publish(expense({ Form: whole }))
    unwrap(await engine.start('expense'))
    const taskId = await engine.taskOf('u1')
    const answer = (variables: JsonObject, outcome = 'approved', userId = 'u1') =>
      engine.complete(taskId, userId, outcome, variables)
    const wrong = await answer({ note: 'much too long', items: ['2026-01-05', 'monday'] })
    expect(wrong).toMatchObject({ code: 'WORKFLOW_VALIDATION_002', messageKey: 'workflow.form.answer_invalid' })
    expect(paths(wrong)).toEqual([
      ['$.variables.amount', 'field_required'],
      ['$.variables.note', 'field_invalid'],
      ['$.variables.items.1', 'field_invalid'],
    ])
    // Who may not answer is not told what is wrong with his answer.
    expect(await answer({}, 'approved', 'u2')).toMatchObject({ code: 'WORKFLOW_DENIED_001' })
    expect(paths(await answer({ note: 7 }, 'rejected'))).toEqual([['$.variables.note', 'field_invalid']])
    expect(await database().prisma.taskRecord.count()).toBe(0)
    unwrap(await answer({}, 'rejected'))
  })

  it('count what the instance holds already as filled in', async () => {
    const engine = new Engine(database())
    await engine.publish(expense({ Form: { ...whole, additionalProperties: false } }))
    unwrap(await engine.start('expense', { amount: 5, other: true }))
    const taskId = await engine.taskOf('u1')
    expect(paths(await engine.complete(taskId, 'u1', 'approved', { extra: 1 }))).toEqual([
      ['$.variables.extra', 'field_invalid'],
    ])
    unwrap(await engine.complete(taskId, 'u1', 'approved', { note: 'fine' }))
  })

  it('keep fields that a step shows only, or not at all, from being changed', async () => {
    const engine = new Engine(database())
    const FormFields = { amount: 'ReadOnly', salary: 'Hidden', note: 'Editable' }
    await engine.publish(
      expense({ Form: form({ ...amount, salary: {} }), FormFields, FormData: { salary: 1, note: 'n' } }),
    )
    unwrap(await engine.start('expense', { amount: 5 }))
    const [task] = await engine.tasks()
    expect(task?.payload).toMatchObject({ formData: { note: 'n' } })
    expect(JSON.stringify(task?.payload)).not.toContain('salary')
    const locked = await engine.complete(task?.id ?? '', 'u1', 'approved', { amount: 9, salary: 2, note: 'ok' })
    expect(paths(locked)).toEqual([
      ['$.variables.amount', 'field_locked'],
      ['$.variables.salary', 'field_locked'],
    ])
    unwrap(await engine.complete(task?.id ?? '', 'u1', 'approved', { note: 'ok' }))
  })

  it('check what a person starts with', async () => {
    const engine = new Engine(database())
    await engine.publish(expense({}, { Form: whole }))
    expect(paths(await engine.start('expense', { amount: 0 }))).toEqual([['$.variables.amount', 'field_invalid']])
    expect(await database().prisma.instance.count()).toBe(0)
    unwrap(await engine.start('expense', { amount: 2 }))
  })

  it('that are no usable JSON Schema keep a definition from being published', async () => {
    const engine = new Engine(database())
    const wrong: JsonObject[] = [
      { type: 'nonsense' },
      { type: 'object', properties: { a: { $ref: 'https://evil.example/schema.json' } } },
      { type: 'object', unknownKeyword: true },
      { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
      { $async: true, type: 'object' },
      { type: 'object', description: 'x'.repeat(70_000) },
    ]
    for (const Form of wrong) {
      const draft = unwrap(await createDefinition(engine.runtime, designer, expense({ Form })))
      const refused = await publishDefinition(engine.runtime, designer, draft.id)
      expect(paths(refused)).toEqual([['$.nodes[1].properties.Form', 'schema_invalid']])
    }
  })

  it('with a pattern that goes astray refuse the answer soon', async () => {
    const engine = new Engine(database())
    await engine.publish(expense({ Form: form({ note: { type: 'string', pattern: '^(a+)+$' } }) }))
    unwrap(await engine.start('expense'))
    const taskId = await engine.taskOf('u1')
    const bomb = await engine.complete(taskId, 'u1', 'approved', { note: `${'a'.repeat(60)}!` })
    expect(paths(bomb)).toEqual([['$.variables.note', 'field_invalid']])
    unwrap(await engine.complete(taskId, 'u1', 'approved', { note: 'aaa' }))
  })
})
