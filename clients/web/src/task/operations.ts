import type { Client, CombinedError } from '@urql/core'
import type { TaskOperation } from '../generated/graphql'
import { addPeople, claim, comment, delegate, release, removePeople, returnTask, transfer, urge } from './documents'

/** What a task may be done with beside being answered. */
export type SideOperation = Exclude<TaskOperation, 'COMPLETE'>

/** What is filled in for it. */
export interface Given {
  comment: string
  person: string | null
  people: string[]
  nodeId: string | null
  resubmit: boolean
}

/** What each one asks for. */
export const asks: Record<SideOperation, 'person' | 'people' | 'node' | 'comment' | 'nothing'> = {
  TRANSFER: 'person',
  DELEGATE: 'person',
  ADD_ASSIGNEES: 'people',
  REMOVE_ASSIGNEES: 'people',
  RETURN: 'node',
  COMMENT: 'comment',
  URGE: 'comment',
  CLAIM: 'nothing',
  RELEASE: 'nothing',
}

/** Carries it out. @returns the refusal, or nothing */
export async function carryOut(
  client: Client,
  operation: SideOperation,
  taskId: string,
  given: Given,
): Promise<CombinedError | undefined> {
  const said = { taskId, ...(given.comment.trim() && { comment: given.comment.trim() }) }
  const toPerson = { ...said, toUserId: given.person ?? '' }
  const people = { ...said, userIds: given.people }
  switch (operation) {
    case 'TRANSFER':
      return (await client.mutation(transfer, { input: toPerson })).error
    case 'DELEGATE':
      return (await client.mutation(delegate, { input: toPerson })).error
    case 'ADD_ASSIGNEES':
      return (await client.mutation(addPeople, { input: people })).error
    case 'REMOVE_ASSIGNEES':
      return (await client.mutation(removePeople, { input: people })).error
    case 'RETURN':
      return (
        await client.mutation(returnTask, { input: { ...said, toNodeId: given.nodeId, resubmit: given.resubmit } })
      ).error
    case 'COMMENT':
      return (await client.mutation(comment, { input: said })).error
    case 'URGE':
      return (await client.mutation(urge, { input: said })).error
    case 'CLAIM':
      return (await client.mutation(claim, { input: said })).error
    case 'RELEASE':
      return (await client.mutation(release, { input: said })).error
  }
}
