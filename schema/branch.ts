import type { GraphQLResolveInfo } from 'graphql'
import { type Connection, eventCursorOf, once } from './connection.js'
import type { Context } from './context.js'
import { type BranchName, branchOf, countBranch, loadBranch } from './loaders.js'
import { type BranchArguments, pageRequest } from './paging.js'

/** A page of what stands below an instance. @throws GraphQLError WORKFLOW_VALIDATION_002 before any query */
export async function branch<Row>(
  context: Context,
  info: GraphQLResolveInfo,
  name: BranchName,
  instanceId: string,
  args: BranchArguments,
): Promise<Connection<Row>> {
  const { table, keys, where } = branchOf(context, name)
  const { size, after } = pageRequest(context, 'instance', { table, keys, where }, args)
  return {
    eventCursor: await eventCursorOf(context, info),
    page: once(() => loadBranch<Row>(context, name, instanceId, { size, after })),
    count: once(() => countBranch(context, name, instanceId)),
  }
}
