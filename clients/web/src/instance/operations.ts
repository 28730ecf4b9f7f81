import type { Client, CombinedError } from '@urql/core'
import type { InstanceStatus } from '../generated/graphql'
import { changesOf } from './changes'
import { cancel, jump, migrate, resume, retry, setVariables, suspend, terminate } from './documents'

/** What an operator may do with one instance. */
export type InstanceOperation =
  | 'retry'
  | 'resume'
  | 'suspend'
  | 'jump'
  | 'migrate'
  | 'setVariables'
  | 'cancel'
  | 'terminate'

/** What is filled in for it. */
export interface Given {
  reason: string
  nodeId: string | null
  version: number | null
  nodeMapping: Record<string, string>
  /** The variables as they shall be. */
  variables: string
}

const possible: Record<InstanceStatus, InstanceOperation[]> = {
  RUNNING: ['suspend', 'jump', 'migrate', 'setVariables', 'cancel', 'terminate'],
  SUSPENDED: ['resume', 'jump', 'migrate', 'setVariables', 'cancel', 'terminate'],
  FAULTED: ['retry', 'jump', 'setVariables', 'cancel', 'terminate'],
  COMPLETED: [],
  CANCELED: [],
  TERMINATED: [],
}

/** What can be done in a status; the server has the last word. */
export function operationsIn(status: InstanceStatus): InstanceOperation[] {
  return possible[status]
}

interface Target {
  id: string
  variables: unknown
}

/** Carries it out. @returns the refusal, or nothing */
export async function operate(
  client: Client,
  operation: InstanceOperation,
  { id, variables }: Target,
  given: Given,
): Promise<CombinedError | undefined> {
  const reason = given.reason.trim() || null
  switch (operation) {
    case 'retry':
      return (await client.mutation(retry, { id })).error
    case 'resume':
      return (await client.mutation(resume, { id })).error
    case 'suspend':
      return (await client.mutation(suspend, { id, reason })).error
    case 'cancel':
      return (await client.mutation(cancel, { id, reason })).error
    case 'terminate':
      return (await client.mutation(terminate, { id, reason })).error
    case 'jump':
      return (await client.mutation(jump, { id, targetNodeId: given.nodeId ?? '', reason })).error
    case 'migrate': {
      const { nodeMapping, version } = given
      return (await client.mutation(migrate, { input: { id, targetVersion: version ?? 0, nodeMapping } })).error
    }
    case 'setVariables': {
      const input = { id, ...changesOf(variables, JSON.parse(given.variables)) }
      return (await client.mutation(setVariables, { input })).error
    }
  }
}
