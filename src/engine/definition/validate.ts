import type { Activity } from '../activities/activity.js'
import type { DefinitionContent, Issue, MessageArguments } from '../model.js'
import { validateGraph } from './validateGraph.js'
import { validateNode } from './validateNode.js'

/** The activity types and assignee rules that an engine knows. */
export interface KnownTypes {
  activity(type: string): Activity | undefined
  assigneeRule(type: string): boolean
}

export type Report = (severity: Issue['severity'], path: string, messageKey: string, args?: MessageArguments) => void

/** All problems of a definition, each with its path; those of severity ERROR keep it from being published. */
export function validateDefinition(content: DefinitionContent, known: KnownTypes): Issue[] {
  const issues: Issue[] = []
  const report: Report = (severity, path, messageKey, args = {}) => {
    issues.push({ severity, path, messageKey, arguments: args })
  }
  for (const [index, node] of content.nodes.entries()) validateNode(node, `$.nodes[${index}]`, known, report)
  validateGraph(content, known, report)
  return issues
}
