import type { Json, MessageArguments, WorkflowNode } from '../model.js'
import { resolveAssignees, unresolved } from '../tasks/assignees.js'
import { fieldAccesses, wrongAccesses } from '../tasks/form.js'
import { openTasks } from '../tasks/open.js'
import { sameApproverScopes, sameApproverStrategies, scopesOf } from '../tasks/sameApprover.js'
import { parseQuorums, parseThreshold, policyOf } from '../tasks/votes.js'
import { type Activity, complete, type PropertyIssue } from './activity.js'

const policies = ['Any', 'All', 'Sequential'] as const
const strategies = ['Fault', 'AutoApprove', 'AutoReject', 'Fallback'] as const

/** Asks people: one task per assignee, decided by the completion policy. */
export const userTask: Activity = {
  type: 'UserTask',
  category: 'human',
  outgoing: 'AllMatched',
  properties: [
    { name: 'Assignees', type: 'stringList', required: false, defaultValue: null },
    { name: 'AssigneesExpression', type: 'expression', required: false, defaultValue: null },
    { name: 'AssigneeRules', type: 'rules', required: false, defaultValue: null },
    { name: 'CompletionPolicy', type: 'enum', required: false, defaultValue: 'Any', values: policies },
    { name: 'ApprovalThreshold', type: 'json', required: false, defaultValue: null },
    { name: 'RejectThreshold', type: 'json', required: false, defaultValue: null },
    { name: 'GroupQuorum', type: 'object', required: false, defaultValue: null },
    {
      name: 'SameApproverStrategy',
      type: 'enum',
      required: false,
      defaultValue: 'Ask',
      values: sameApproverStrategies,
    },
    { name: 'SameApproverScope', type: 'stringList', required: false, defaultValue: null },
    { name: 'ExcludeStarter', type: 'boolean', required: false, defaultValue: false },
    { name: 'EmptyAssigneeStrategy', type: 'enum', required: false, defaultValue: 'Fault', values: strategies },
    { name: 'FallbackAssigneeRules', type: 'rules', required: false, defaultValue: null },
    { name: 'Title', type: 'template', required: false, defaultValue: null },
    { name: 'Form', type: 'schema', required: false, defaultValue: null },
    { name: 'FormFields', type: 'object', required: false, defaultValue: null },
    { name: 'FormKey', type: 'template', required: false, defaultValue: null },
    { name: 'FormData', type: 'json', required: false, defaultValue: null },
    { name: 'Priority', type: 'integer', required: false, defaultValue: null },
    { name: 'DueAfterSeconds', type: 'number', required: false, defaultValue: null },
    { name: 'DueAt', type: 'template', required: false, defaultValue: null },
    { name: 'ReminderAfterSeconds', type: 'number', required: false, defaultValue: null },
    { name: 'CcUserIds', type: 'stringList', required: false, defaultValue: null },
    { name: 'CcRules', type: 'rules', required: false, defaultValue: null },
    { name: 'AllowedOutcomes', type: 'stringList', required: false, defaultValue: ['approved', 'rejected'] },
  ],
  validate(node) {
    const issues: PropertyIssue[] = []
    const { Assignees, AssigneesExpression, AssigneeRules, ApprovalThreshold } = node.properties
    const empty = (value: unknown) =>
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (empty(Assignees) && empty(AssigneesExpression) && empty(AssigneeRules))
      issues.push({
        property: 'Assignees',
        messageKey: 'workflow.definition.assignees_missing',
        arguments: { node: node.id },
      })
    if (ApprovalThreshold !== undefined && ApprovalThreshold !== null && parseThreshold(ApprovalThreshold) === null)
      issues.push({
        property: 'ApprovalThreshold',
        messageKey: 'workflow.activity.threshold_invalid',
        arguments: { node: node.id, value: JSON.stringify(ApprovalThreshold) },
      })
    return [...issues, ...voteIssues(node)]
  },
  execute({ execution, node, nodeInstance }) {
    const resolved = resolveAssignees(execution, node, nodeInstance)
    if (!resolved.ok) return unresolved(resolved)
    if (resolved.decided !== null) return complete({}, resolved.decided)
    return openTasks(execution, node, nodeInstance, resolved.assignees)
  },
}

/** What is wrong with the finer rules of a vote. */
function voteIssues(node: WorkflowNode): PropertyIssue[] {
  const { RejectThreshold = null, GroupQuorum = null, SameApproverScope = null, FormFields = null } = node.properties
  const issues: PropertyIssue[] = []
  const report = (property: string, messageKey: string, value: Json, more: MessageArguments = {}) =>
    issues.push({ property, messageKey, arguments: { node: node.id, value: JSON.stringify(value), ...more } })
  if (RejectThreshold !== null && parseThreshold(RejectThreshold) === null)
    report('RejectThreshold', 'workflow.activity.threshold_invalid', RejectThreshold)
  if (parseQuorums(GroupQuorum) === null) report('GroupQuorum', 'workflow.activity.quorum_invalid', GroupQuorum)
  else if (GroupQuorum !== null && policyOf(node) !== 'All')
    report('GroupQuorum', 'workflow.activity.quorum_needs_all', GroupQuorum)
  for (const [field, value] of wrongAccesses(FormFields)) {
    const facts = { property: `FormFields.${field}`, allowed: fieldAccesses.join(', ') }
    report('FormFields', 'workflow.activity.property_value', value, facts)
  }
  if (scopesOf(SameApproverScope) === null) {
    const facts = { property: 'SameApproverScope', allowed: sameApproverScopes.join(', ') }
    report('SameApproverScope', 'workflow.activity.property_value', SameApproverScope, facts)
  }
  return issues
}
