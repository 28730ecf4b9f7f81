import { describe, expect, it } from 'vitest'
import { pathOf } from '../../clients/web/src/graph/path.js'
import { graphOf, type TrailEntry } from '../../clients/web/src/graph/states.js'

const node = (id: string, activityType = 'UserTask') => ({ id, activityType, displayName: null })
const way = (id: string, sourceNodeId: string, targetNodeId: string, condition: string | null = null) => ({
  id,
  sourceNodeId,
  targetNodeId,
  condition,
})
const document = {
  nodes: [node('start', 'Start'), node('agree'), node('order'), node('refused', 'End'), node('end', 'End')],
  transitions: [
    way('t1', 'start', 'agree'),
    way('t2', 'agree', 'order', "outcome == 'approved'"),
    { ...way('t3', 'agree', 'refused'), isDefault: true },
    way('t4', 'order', 'end'),
  ],
}
const states = (trail: TrailEntry[] | null) =>
  Object.fromEntries(graphOf(document, trail).nodes.map(({ id, state }) => [id, state]))
const taken = (trail: TrailEntry[]) =>
  graphOf(document, trail)
    .edges.filter((edge) => edge.taken)
    .map(({ id }) => id)

describe('the picture of a process', () => {
  it('shows the definition alone without states', () => {
    expect(states(null)).toEqual({ start: 'plain', agree: 'plain', order: 'plain', refused: 'plain', end: 'plain' })
    expect(graphOf(document, null).edges.map(({ condition, isDefault }) => [condition, isDefault])).toEqual([
      [null, false],
      ["outcome == 'approved'", false],
      [null, true],
      [null, false],
    ])
  })

  it('tells what is done, what waits, what may come and what was passed by', () => {
    const trail = [
      { nodeId: 'start', status: 'COMPLETED' },
      { nodeId: 'agree', status: 'COMPLETED' },
      { nodeId: 'order', status: 'WAITING' },
    ]
    expect(states(trail)).toEqual({ start: 'done', agree: 'done', order: 'waiting', refused: 'notTaken', end: 'ahead' })
    expect(taken(trail)).toEqual(['t1', 't2'])
  })

  it('follows what was decided where the trail tells it', () => {
    const trail = [
      { nodeId: 'start', status: 'COMPLETED', routing: [{ transitionId: 't1', taken: true }] },
      {
        nodeId: 'agree',
        status: 'COMPLETED',
        routing: [
          { transitionId: 't2', taken: false },
          { transitionId: 't3', taken: true },
        ],
      },
      { nodeId: 'refused', status: 'COMPLETED', routing: [] },
    ]
    expect(taken(trail)).toEqual(['t1', 't3'])
    expect(states(trail)).toEqual({
      start: 'done',
      agree: 'done',
      order: 'notTaken',
      refused: 'done',
      end: 'notTaken',
    })
  })

  it('shows an open run before one that has ended, and how often a node ran', () => {
    const again = [
      { nodeId: 'agree', status: 'FAULTED' },
      { nodeId: 'agree', status: 'CANCELED' },
    ]
    const agree = graphOf(document, again).nodes.find(({ id }) => id === 'agree')
    expect(agree).toMatchObject({ state: 'faulted', runs: 2 })
  })

  it('draws what it can of a document that is being written', () => {
    for (const wrong of [null, 'text', [], { nodes: 1 }, { nodes: [null, { id: 3 }] }])
      expect(graphOf(wrong, null)).toEqual({ nodes: [], edges: [] })
    const loose = { nodes: [node('a'), node('a')], transitions: [way('t', 'a', 'gone'), way('u', 'a', 'a')] }
    const { nodes, edges } = graphOf(loose, null)
    expect([nodes.length, edges.map(({ id }) => id)]).toEqual([1, ['u']])
  })
})

it('rounds the corners of a way as far as there is room', () => {
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 20, y: 0 },
      { x: 20, y: 6 },
    ]),
  ).toBe('M 0 0 L 12 0 Q 20 0 20 3 L 20 6')
})
