import { isRefusal, type Json, type Refusal } from '../src/engine/model.js'
import { type Handled, handle } from '../src/handle.js'
import { readNodeMapping } from '../src/refusals.js'
import { actorOf, refuseControl } from './access.js'
import { eachItem } from './batch.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { accepted } from './errors.js'
import { InstancePayload, InstanceResult } from './instancePayload.js'

const MigrateInstanceInput = builder.inputType('MigrateInstanceInput', {
  description: 'Which version an instance shall go on with.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The instance.' }),
    targetVersion: t.int({ required: true, description: 'Another published version of its definition.' }),
    nodeMapping: t.field({
      type: 'JSON',
      description: 'Where nodes have other ids in the target: `{ old: new }`. Those not named keep their id.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Only check: an error tells what is in the way, and nothing is changed.',
    }),
  }),
})

const needsOperate = 'Needs the permission `operate`.'

interface Request {
  id: string
  targetVersion: number
  nodeMapping?: Json | undefined
  dryRun: boolean
}

async function migrate(context: Context, request: Request): Promise<Handled | Refusal> {
  const { id: instanceId, targetVersion, dryRun } = request
  const nodeMapping = readNodeMapping(request.nodeMapping)
  if (isRefusal(nodeMapping)) return nodeMapping
  const refused = await refuseControl(context, instanceId)
  if (refused) return refused
  const command = { type: 'migrate', instanceId, targetVersion, nodeMapping, dryRun } as const
  return handle(context.runtime, actorOf(context), command)
}

builder.mutationFields((t) => ({
  migrateInstance: t.field({
    type: InstancePayload,
    description: `Moves an unfinished instance to another version; what is open stays as it is. ${needsOperate}`,
    args: { input: t.arg({ type: MigrateInstanceInput, required: true, description: 'Which one, and where to.' }) },
    resolve: async (_root, { input }, context) => accepted(context, await migrate(context, input)),
  }),
  migrateInstances: t.field({
    type: [InstanceResult],
    description: `The same for up to 100 instances, each on its own, in order. ${needsOperate}`,
    args: {
      ids: t.arg.idList({ required: true, description: 'The instances.' }),
      targetVersion: t.arg.int({ required: true, description: 'Another published version of their definition.' }),
    },
    resolve: (_root, { ids, targetVersion }, context) =>
      eachItem(
        context,
        ids,
        (id) => id,
        (id) => migrate(context, { id, targetVersion, dryRun: false }),
      ),
  }),
}))
