import { type Fault, fault, type WorkflowNode } from '../model.js'
import type { PropertyIssue } from './activity.js'

/** The fault of a node whose property turned out to be wrong when it ran. */
export function propertyFault(issue: PropertyIssue): Fault {
  return fault('WORKFLOW_VALIDATION_002', issue.messageKey, issue.arguments)
}

/** The fault of a node whose property must have a value and was rendered as nothing. */
export function propertyEmpty(node: WorkflowNode, property: string): Fault {
  const args = { node: node.id, property }
  return propertyFault({ property, messageKey: 'workflow.activity.property_required', arguments: args })
}
