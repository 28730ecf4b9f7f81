import { expect, it } from 'vitest'
import { onBothDatabases } from '../support/databases.js'
import { document } from '../support/engine.js'
import { Desk, told } from './desk.js'

const read = `query ($id: ID!) { it: instance(id: $id) {
  variables trail { nodes { nodeId input output } } history { nodes { variables } } tasks { formData } bookmarks { payload }
} }`

const Form = { type: 'object', properties: { days: { type: 'number' }, salary: {}, rating: {} } }
const hire = document(
  'hire',
  {
    s: ['Start', { Form, FormFields: { rating: 'Hidden' } }],
    boss: [
      'UserTask',
      { Assignees: ['boss'], Form, FormFields: { salary: 'ReadOnly', rating: 'Editable' }, CcUserIds: ['cc'] },
    ],
    peer: [
      'UserTask',
      {
        Assignees: ['peer'],
        Form,
        FormFields: { salary: 'Hidden', rating: 'Hidden' },
        FormData: { days: '{{days}}', salary: '{{salary}}' },
      },
    ],
    hr: ['UserTask', { Assignees: ['hr'], Form, FormData: { salary: '{{salary}}' } }],
    end: 'End',
  },
  ['s>boss', 'boss>peer', 'peer>hr', 'hr>end'],
)

onBothDatabases('hidden fields', (database) => {
  it('are read by those alone whose own step shows them, and by operators', async () => {
    const desk = new Desk(database())
    await desk.publish(hire)
    const { id } = told(await desk.start('hire', { days: 2, salary: 4711 }, {}, 'starter')).instance
    told(await desk.act('boss', 'approveTask', { taskId: await desk.taskOf('boss'), variables: { rating: 'A+' } }))
    const seenBy = async (userId: string) => told(await desk.ask(userId, read, { id }))
    const variablesOf = async (userId: string) => (await seenBy(userId)).variables
    expect(await variablesOf('boss')).toMatchObject({ days: 2, salary: 4711, rating: 'A+' })
    const starter = await seenBy('starter')
    expect(starter.variables).toMatchObject({ days: 2, salary: 4711 })
    expect(JSON.stringify(starter)).not.toContain('A+')
    const peer = await seenBy('peer')
    expect(peer.variables).toMatchObject({ days: 2 })
    expect(JSON.stringify(peer)).not.toMatch(/4711|A\+/)
    expect(peer.history.nodes).toMatchObject([{ variables: { days: 2 } }])
    told(await desk.act('peer', 'approveTask', { taskId: await desk.taskOf('peer') }))
    // The task of another that shows more does not show it to him.
    expect(JSON.stringify(await seenBy('peer'))).not.toMatch(/4711|A\+/)
    expect((await seenBy('hr')).tasks).toMatchObject([{ formData: { salary: expect.anything() } }])
    told(await desk.act('hr', 'transferTask', { taskId: await desk.taskOf('hr'), toUserId: 'peer' }))
    expect(await variablesOf('peer')).toMatchObject({ salary: 4711, rating: 'A+' })
  })
})
