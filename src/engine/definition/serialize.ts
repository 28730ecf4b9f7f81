import type { DefinitionContent, DefinitionStatus, JsonObject, RetryPolicy } from '../model.js'
import { printDuration } from './duration.js'

/** What the catalog assigns to a definition; times in epoch milliseconds. */
export interface DefinitionIdentity {
  id: string
  version: number
  status: DefinitionStatus
  tenantId: string | null
  createdAt: number
  publishedAt: number | null
}

/** The whole definition in the reference's JSON form: every member but those that are null. */
export function serializeDefinition(content: DefinitionContent, identity: DefinitionIdentity): JsonObject {
  return compact({
    id: identity.id,
    name: content.name,
    version: identity.version,
    displayName: content.displayName,
    description: content.description,
    category: content.category,
    status: identity.status.charAt(0) + identity.status.slice(1).toLowerCase(),
    tenantId: identity.tenantId,
    createdAt: new Date(identity.createdAt).toISOString(),
    publishedAt: identity.publishedAt === null ? null : new Date(identity.publishedAt).toISOString(),
    variables: content.variables.map((variable) => compact({ ...variable })),
    nodes: content.nodes.map((node) =>
      compact({
        id: node.id,
        activityType: node.activityType,
        displayName: node.displayName,
        properties: node.properties,
        retryPolicy: node.retryPolicy ? retryJson(node.retryPolicy) : null,
        timeout: spanOf(node.timeout),
        continueOnError: node.continueOnError,
        outputMappings: node.outputMappings,
      }),
    ),
    transitions: content.transitions.map((transition) => compact({ ...transition })),
    enableCompensation: content.enableCompensation,
    compensateOnFault: content.compensateOnFault,
    timeout: spanOf(content.timeout),
    timeoutAction: content.timeoutAction,
    properties: content.properties,
  })
}

function retryJson(policy: RetryPolicy): JsonObject {
  return {
    maxAttempts: policy.maxAttempts,
    firstDelay: printDuration(policy.firstDelay),
    backoffFactor: policy.backoffFactor,
  }
}

function spanOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : printDuration(milliseconds)
}

function compact(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
