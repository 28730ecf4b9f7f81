import type { ChildStart } from '../calls.js'
import type { Execution } from '../execution.js'
import {
  type ChildState,
  type Fault,
  fault,
  type JsonObject,
  type NodeInstanceState,
  type WorkflowNode,
} from '../model.js'
import { evaluateText, renderJson, renderText } from '../properties.js'
import type { NewBookmark, PropertyDescriptor } from './activity.js'

/** What SubWorkflow and ForEach say alike about the children that they start. */
export const childProperties: readonly PropertyDescriptor[] = [
  { name: 'DefinitionName', type: 'template', required: true, defaultValue: null },
  { name: 'DefinitionVersion', type: 'integer', required: false, defaultValue: null },
  { name: 'Variables', type: 'object', required: false, defaultValue: null },
  { name: 'VariableExpressions', type: 'expressions', required: false, defaultValue: null },
  { name: 'WaitForCompletion', type: 'boolean', required: false, defaultValue: true },
  { name: 'ResultVariable', type: 'string', required: false, defaultValue: null },
  { name: 'FailOnChildFault', type: 'boolean', required: false, defaultValue: true },
]

export function waits(node: WorkflowNode): boolean {
  return node.properties.WaitForCompletion !== false
}

export function resultVariable(node: WorkflowNode): string | null {
  const name = node.properties.ResultVariable
  return typeof name === 'string' && name !== '' ? name : null
}

/** What a child of the node starts with; `extra` are names that its variables may read beside the parent's. */
export function childStart(
  execution: Execution,
  node: WorkflowNode,
  extra: JsonObject = {},
): { ok: true; start: ChildStart } | { ok: false; fault: Fault } {
  const max = execution.world.options.maxSubWorkflowDepth
  if (execution.instance.depth >= max)
    return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.child.too_deep', { max }) }
  const name = renderText(execution, String(node.properties.DefinitionName ?? ''), extra)
  if (!name.ok) return name
  const literal = renderJson(execution, node.properties.Variables ?? {}, extra)
  if (!literal.ok) return literal
  const variables: JsonObject = { ...(literal.value as JsonObject) }
  for (const [variable, text] of Object.entries((node.properties.VariableExpressions ?? {}) as JsonObject)) {
    const value = evaluateText(execution, String(text), extra)
    if (!value.ok) return value
    variables[variable] = value.value
  }
  const version = node.properties.DefinitionVersion
  return {
    ok: true,
    start: { definitionName: name.value, version: typeof version === 'number' ? version : null, variables },
  }
}

/** The parent's fault for a child that did not complete, with the child's own as its cause; null where it goes on. */
export function childFault(node: WorkflowNode, child: ChildState): Fault | null {
  if (child.status === 'COMPLETED' || node.properties.FailOnChildFault === false) return null
  const key = `workflow.child.${child.status.toLowerCase()}`
  return fault('WORKFLOW_UNEXPECTED_001', key, { id: child.childId, status: child.status }, child.fault)
}

/** What a node waits with for its children: one bookmark, however many they are. */
export function childBookmark(key: string | null, children: number): NewBookmark {
  return { kind: 'SUB_WORKFLOW', key, correlationId: null, dueAt: null, payload: { children }, task: null }
}

/** Keeps how many children are still waited for, and what the activity wants to know of them. */
export function keep(nodeInstance: NodeInstanceState, open: number, state: JsonObject): void {
  nodeInstance.state = { ...nodeInstance.state, ...state, open }
}
