import { answerTo, type CallRequest, type ChildStart } from '../calls.js'
import { isSettled } from '../children.js'
import { parseExpression } from '../expression/parse.js'
import {
  type ChildState,
  type Fault,
  fault,
  type Json,
  type JsonObject,
  type NodeInstanceState,
  type WorkflowNode,
} from '../model.js'
import { evaluateText, renderJson } from '../properties.js'
import { type Activity, type ActivityContext, type ActivityResult, complete } from './activity.js'
import { childBookmark, childFault, childProperties, childStart, keep, resultVariable, waits } from './childStart.js'

/** How far the loop is; kept in the state of the node instance, so that it outlives a wait. */
interface Progress {
  attempt: number
  items: Json[]
  /** The first item without a child. */
  next: number
  /** Child id → index of its item, of those not ended. */
  open: { [childId: string]: number }
  childIds: string[]
  statuses: string[]
  /** By index of the item, whatever the order in which the children end. */
  results: Json[]
  /** Of the item with the lowest index. */
  failed: { index: number; fault: Fault } | null
}

/** Starts a child for each item of an array: all at once, or one after the other. */
export const forEach: Activity = {
  type: 'ForEach',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Items', type: 'json', required: true, defaultValue: null },
    { name: 'ItemVariable', type: 'string', required: false, defaultValue: 'item' },
    { name: 'Parallel', type: 'boolean', required: false, defaultValue: false },
    { name: 'FailFast', type: 'boolean', required: false, defaultValue: true },
    ...childProperties,
  ],
  validate({ properties }) {
    const parsed = typeof properties.Items === 'string' ? parseExpression(properties.Items) : null
    if (!parsed || parsed.ok) return []
    return [{ property: 'Items', messageKey: parsed.fault.messageKey, arguments: parsed.fault.arguments }]
  },
  execute(context) {
    const { execution, node, nodeInstance } = context
    const known = nodeInstance.state.loop as unknown as Progress | undefined
    if (known?.attempt === nodeInstance.attempt) return advance(context, known)
    const items = itemsOf(context)
    if (!items.ok) return { kind: 'fail', fault: items.fault }
    if (!Array.isArray(items.value))
      return {
        kind: 'fail',
        fault: fault('WORKFLOW_VALIDATION_002', 'workflow.activity.property_not_array', {
          node: node.id,
          property: 'Items',
        }),
      }
    nodeInstance.input = { items: items.value }
    execution.touched.add(nodeInstance.id)
    return advance(context, {
      attempt: nodeInstance.attempt,
      items: items.value,
      next: 0,
      open: {},
      childIds: [],
      statuses: [],
      results: [],
      failed: null,
    })
  },
  childrenEnded(context) {
    const { node, nodeInstance, children } = context
    const progress = nodeInstance.state.loop as unknown as Progress
    for (const child of children) {
      const index = progress.open[child.childId]
      if (index !== undefined) settle(node, progress, index, child)
    }
    return advance(context, progress)
  },
  // Only children let the node go on: whoever consumes its bookmark changes nothing.
  resume: ({ bookmark }) => ({
    kind: 'suspend',
    bookmarks: [childBookmark(null, Number(bookmark.payload.children))],
    state: {},
  }),
}

/** A text is an expression; an array written out in the definition may hold templates. */
function itemsOf({ execution, node }: ActivityContext) {
  const { Items = null } = node.properties
  return typeof Items === 'string' ? evaluateText(execution, Items) : renderJson(execution, Items)
}

function advance(context: ActivityContext, progress: Progress): ActivityResult {
  const { execution, node, nodeInstance } = context
  const together = node.properties.Parallel === true || !waits(node)
  for (;;) {
    const open = Object.keys(progress.open).length
    const allStarted = progress.next === progress.items.length
    if (progress.failed && (node.properties.FailFast !== false || (allStarted && open === 0))) {
      save(nodeInstance, progress)
      return { kind: 'fail', fault: progress.failed.fault }
    }
    if (allStarted || (!together && open > 0)) break
    const batch = progress.items.slice(progress.next, together ? progress.items.length : progress.next + 1)
    const request = startsOf(context, progress, batch)
    if (!request.ok) return { kind: 'fail', fault: request.fault }
    const answer = answerTo(execution, nodeInstance.id, request.request)
    if (answer === null) {
      save(nodeInstance, progress)
      return { kind: 'call', request: request.request }
    }
    if (answer.kind === 'fail') return answer
    if (answer.kind !== 'children') throw new Error('the start of children was not answered')
    for (const child of answer.children) begin(node, progress, child)
  }
  save(nodeInstance, progress)
  if (Object.keys(progress.open).length === 0) return complete(outputOf(node, progress))
  const waiting = [...execution.bookmarks.values()].some(
    ({ kind, nodeInstanceId }) => kind === 'SUB_WORKFLOW' && nodeInstanceId === nodeInstance.id,
  )
  return { kind: 'suspend', bookmarks: waiting ? [] : [childBookmark(null, progress.items.length)], state: {} }
}

function startsOf({ execution, node }: ActivityContext, progress: Progress, batch: Json[]) {
  const name = String(node.properties.ItemVariable ?? 'item')
  const starts: ChildStart[] = []
  for (const item of batch) {
    const started = childStart(execution, node, { [name]: item })
    if (!started.ok) return started
    starts.push({ ...started.start, variables: { ...started.start.variables, [name]: item } })
  }
  const request: CallRequest = { kind: 'children', first: progress.next, starts }
  return { ok: true as const, request }
}

function begin(node: WorkflowNode, progress: Progress, child: ChildState): void {
  const index = progress.next
  progress.next += 1
  progress.childIds[index] = child.childId
  progress.statuses[index] = child.status
  if (!waits(node)) return
  if (isSettled(child.status)) settle(node, progress, index, child)
  else progress.open[child.childId] = index
}

function settle(node: WorkflowNode, progress: Progress, index: number, child: ChildState): void {
  delete progress.open[child.childId]
  progress.statuses[index] = child.status
  if (resultVariable(node) !== null) progress.results[index] = child.variables
  const failed = childFault(node, child)
  if (failed && index < (progress.failed?.index ?? Number.POSITIVE_INFINITY)) progress.failed = { index, fault: failed }
}

function save(nodeInstance: NodeInstanceState, progress: Progress): void {
  const open = Object.keys(progress.open).length
  // The items are needed only while some have no child; holes in the results would not survive being stored.
  const items = progress.next < progress.items.length ? progress.items : progress.items.map(() => null)
  const results = Array.from(progress.results, (value) => value ?? null)
  keep(nodeInstance, open, { loop: { ...progress, items, results } as unknown as JsonObject })
}

function outputOf(node: WorkflowNode, progress: Progress): JsonObject {
  const output: JsonObject = { childInstanceIds: progress.childIds, childStatuses: progress.statuses }
  const name = resultVariable(node)
  if (name !== null) output[name] = progress.items.map((_item, index) => progress.results[index] ?? null)
  return output
}
