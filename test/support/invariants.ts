import { seatOf } from '../../src/engine/tasks/seat.js'
import type { TaskState } from '../../src/engine/tasks/votes.js'
import type { Run } from './run.js'

const ended = ['COMPLETED', 'CANCELED', 'TERMINATED']

function hold(fact: boolean, what: string): void {
  if (!fact) throw new Error(`an invariant is broken: ${what}`)
}

/** What must hold after every command, whatever it was. */
export function checkInvariants(run: Run): void {
  const { instance } = run
  const bookmarks = [...run.bookmarks.values()]
  const nodes = [...run.nodes.values()]
  const owners = new Set(bookmarks.map(({ nodeInstanceId }) => nodeInstanceId))

  if (ended.includes(instance.status)) {
    hold(bookmarks.length === 0, 'an ended instance waits for nothing')
    hold(!nodes.some(({ status }) => status === 'WAITING'), 'no node of an ended instance waits')
    hold(Object.keys(instance.joins).length + instance.pending.length === 0, 'an ended instance has no tokens')
    hold(instance.endedAt !== null, 'an ended instance says when')
  } else hold(instance.endedAt === null, 'an instance that goes on has no end')
  if (instance.status === 'RUNNING') {
    hold(
      bookmarks.some(({ kind }) => kind !== 'INSTANCE_TIMEOUT'),
      'a running instance waits for something',
    )
    hold(instance.fault === null && instance.faultNodeInstanceId === null, 'a running instance has no fault')
  }
  if (instance.status === 'FAULTED') hold(instance.fault !== null, 'a faulted instance says why')

  for (const node of nodes) {
    hold(node.status !== 'RUNNING', 'no node is left running between commands')
    if (node.status === 'WAITING') hold(owners.has(node.id), 'a waiting node has a bookmark')
    if (node.status === 'WAITING' && node.activityType === 'UserTask') checkTasks(run, node)
  }
  for (const bookmark of bookmarks) {
    if (bookmark.nodeInstanceId === null) continue
    const owner = run.nodes.get(bookmark.nodeInstanceId)
    hold(owner?.nodeId === bookmark.nodeId, 'a bookmark belongs to a node instance')
    hold(
      owner?.status === 'WAITING' || (owner?.status === 'FAULTED' && bookmark.kind === 'RETRY'),
      'a bookmark belongs to a node that waits, or that will be tried again',
    )
  }
  hold(
    run.events.every(({ instanceSeq }, index) => instanceSeq === index + 1),
    'events are numbered without a gap',
  )
  hold(instance.eventSeq === run.events.length, 'the instance knows its last event')
  hold(
    run.records.every(({ nodeInstanceId }) => run.nodes.has(nodeInstanceId)),
    'a record belongs to a node instance',
  )
}

function checkTasks(run: Run, node: Run['nodes'] extends Map<string, infer Node> ? Node : never): void {
  const { assignees, approved, rejected, history } = node.state as unknown as TaskState
  const voted = [...approved, ...rejected]
  hold(new Set(assignees).size === assignees.length, 'nobody is on a step twice')
  hold(new Set(voted).size === voted.length, 'nobody votes twice')
  hold(voted.length <= assignees.length && voted.length <= history.length, 'votes are of assignees and recorded')
  const asked = run.tasks().filter(({ nodeInstanceId }) => nodeInstanceId === node.id)
  hold(asked.length > 0, 'a waiting step asks somebody')
  hold(new Set(asked.map(({ key }) => key)).size === asked.length, 'nobody has two tasks of a step')
  const seats = asked.map(seatOf)
  hold(new Set(seats).size === seats.length, 'each task stands for another assignee')
  for (const seat of seats) {
    hold(assignees.includes(seat), 'a task stands for an assignee')
    hold(!voted.includes(seat), 'who has voted is not asked again')
  }
}
