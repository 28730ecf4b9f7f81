import { answerTo, type CallRequest } from '../calls.js'
import { isSettled } from '../children.js'
import { faultJson } from '../failure.js'
import type { ChildState, JsonObject, NodeInstanceState, WorkflowNode } from '../model.js'
import { type Activity, type ActivityResult, complete } from './activity.js'
import { childBookmark, childFault, childProperties, childStart, keep, resultVariable, waits } from './childStart.js'

/** Starts a child instance and, unless told otherwise, waits until it has ended. */
export const subWorkflow: Activity = {
  type: 'SubWorkflow',
  category: 'flow',
  outgoing: 'AllMatched',
  properties: childProperties,
  execute({ execution, node, nodeInstance }) {
    const started = childStart(execution, node)
    if (!started.ok) return { kind: 'fail', fault: started.fault }
    const request: CallRequest = { kind: 'children', first: 0, starts: [started.start] }
    const answer = answerTo(execution, nodeInstance.id, request)
    if (answer === null) return { kind: 'call', request }
    if (answer.kind === 'fail') return answer
    const child = answer.kind === 'children' ? answer.children[0] : undefined
    if (!child) throw new Error('the start of a child was not answered')
    if (!waits(node)) return complete({ childInstanceId: child.childId, childStatus: child.status })
    keep(nodeInstance, 1, { childInstanceId: child.childId })
    if (isSettled(child.status)) return goOn(node, nodeInstance, child)
    return { kind: 'suspend', bookmarks: [childBookmark(child.childId, 1)], state: {} }
  },
  childrenEnded({ node, nodeInstance, children }) {
    const child = children.find(({ childId }) => childId === nodeInstance.state.childInstanceId)
    return child ? goOn(node, nodeInstance, child) : { kind: 'suspend', bookmarks: [], state: {} }
  },
  // Only a child lets the node go on: whoever consumes its bookmark changes nothing.
  resume: ({ bookmark }) => ({ kind: 'suspend', bookmarks: [childBookmark(bookmark.key, 1)], state: {} }),
}

function goOn(node: WorkflowNode, nodeInstance: NodeInstanceState, child: ChildState): ActivityResult {
  keep(nodeInstance, 0, {})
  const failed = childFault(node, child)
  if (failed) return { kind: 'fail', fault: failed }
  const output: JsonObject = {
    childInstanceId: child.childId,
    childStatus: child.status,
    childOutcome: child.outcome,
    childFault: child.fault === null ? null : faultJson(child.fault),
  }
  output[resultVariable(node) ?? 'childVariables'] = child.variables
  return complete(output)
}
