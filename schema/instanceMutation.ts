import type { InstanceCommand } from '../src/engine/command.js'
import type { Refusal } from '../src/engine/model.js'
import { type Handled, handle } from '../src/handle.js'
import { isUuid } from '../src/persistence/text.js'
import { findInstances } from '../src/persistence/visibility.js'
import { actorOf, partition, readerOf, refuseControl } from './access.js'
import { eachItem } from './batch.js'
import { builder } from './builder.js'
import type { Context } from './context.js'
import { accepted, instanceNotFound } from './errors.js'
import { IdInput } from './idInput.js'
import { InstancePayload, InstanceResult } from './instancePayload.js'
import { objectOrNull } from './jsonObject.js'

const InstanceReasonInput = builder.inputType('InstanceReasonInput', {
  description: 'An instance and why something is done to it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The instance.' }),
    reason: t.string({ description: 'Why; it stays in the event.' }),
  }),
})

const SetVariablesInput = builder.inputType('SetVariablesInput', {
  description: 'Changes to the variables of an instance.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The instance.' }),
    set: t.field({ type: 'JSON', description: 'What to set: an object.' }),
    remove: t.stringList({ description: 'The names to remove.' }),
  }),
})

const JumpInstanceInput = builder.inputType('JumpInstanceInput', {
  description: 'Where an instance shall go on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The instance.' }),
    targetNodeId: t.id({ required: true, description: 'The node to go on from; all that is open is given up.' }),
    reason: t.string({ description: 'Why; it stays in the event.' }),
  }),
})

const needsOperate = 'Needs the permission `operate`.'

async function control(context: Context, command: InstanceCommand): Promise<Handled | Refusal> {
  const refused = await refuseControl(context, command.instanceId)
  return refused ?? (await handle(context.runtime, actorOf(context), command))
}

async function withdraw(
  context: Context,
  instanceId: string,
  reason: string | null | undefined,
): Promise<Handled | Refusal> {
  const [visible] = isUuid(instanceId) ? await findInstances(partition(context), readerOf(context), [instanceId]) : []
  if (!visible) return instanceNotFound(instanceId)
  return await handle(context.runtime, actorOf(context), { type: 'withdraw', instanceId, reason: reason ?? null })
}

function reasonField(name: string, description: string, type: 'suspend' | 'cancel' | 'terminate'): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: InstancePayload,
      description: `${description} ${needsOperate}`,
      args: { input: t.arg({ type: InstanceReasonInput, required: true, description: 'Which one, and why.' }) },
      resolve: async (_root, { input }, context) =>
        accepted(context, await control(context, { type, instanceId: input.id, reason: input.reason ?? null })),
    }),
  )
  builder.mutationField(`${name}s`, (t) =>
    t.field({
      type: [InstanceResult],
      description: `The same for up to 100 instances, each on its own, in order. ${needsOperate}`,
      args: {
        ids: t.arg.idList({ required: true, description: 'The instances.' }),
        reason: t.arg.string({ description: 'Why; it stays in the events.' }),
      },
      resolve: (_root, { ids, reason }, context) =>
        eachItem(
          context,
          ids,
          (id) => id,
          (id) => control(context, { type, instanceId: id, reason: reason ?? null }),
        ),
    }),
  )
}

function plainField(name: string, description: string, type: 'resume' | 'retry'): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: InstancePayload,
      description: `${description} ${needsOperate}`,
      args: { input: t.arg({ type: IdInput, required: true, description: 'Which one.' }) },
      resolve: async (_root, { input }, context) =>
        accepted(context, await control(context, { type, instanceId: input.id })),
    }),
  )
  builder.mutationField(`${name}s`, (t) =>
    t.field({
      type: [InstanceResult],
      description: `The same for up to 100 instances, each on its own, in order. ${needsOperate}`,
      args: { ids: t.arg.idList({ required: true, description: 'The instances.' }) },
      resolve: (_root, { ids }, context) =>
        eachItem(
          context,
          ids,
          (id) => id,
          (id) => control(context, { type, instanceId: id }),
        ),
    }),
  )
}

reasonField('suspendInstance', 'Holds a running instance.', 'suspend')
plainField('resumeInstance', 'Lets a suspended instance go on.', 'resume')
reasonField('cancelInstance', 'Ends an instance, with compensation where its definition asks for it.', 'cancel')
reasonField('terminateInstance', 'Ends an instance at once.', 'terminate')
plainField('retryInstance', 'Runs the node of a faulted instance again.', 'retry')

builder.mutationFields((t) => ({
  withdrawInstance: t.field({
    type: InstancePayload,
    description: 'Calls an instance back that the caller has started, as long as nobody else has acted on it.',
    args: { input: t.arg({ type: InstanceReasonInput, required: true, description: 'Which one, and why.' }) },
    resolve: async (_root, { input }, context) => accepted(context, await withdraw(context, input.id, input.reason)),
  }),
  setInstanceVariables: t.field({
    type: InstancePayload,
    description: `Sets and removes variables of an unfinished instance. ${needsOperate}`,
    args: { input: t.arg({ type: SetVariablesInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input }, context) => {
      const set = accepted(context, objectOrNull('set', input.set)) ?? {}
      const command = { type: 'setVariables', instanceId: input.id, set, remove: input.remove ?? [] } as const
      return accepted(context, await control(context, command))
    },
  }),
  jumpInstance: t.field({
    type: InstancePayload,
    description: `Gives up all that is open and goes on from another node. ${needsOperate}`,
    args: { input: t.arg({ type: JumpInstanceInput, required: true, description: 'Where to.' }) },
    resolve: async (_root, { input }, context) => {
      const { id: instanceId, targetNodeId, reason } = input
      return accepted(
        context,
        await control(context, { type: 'jump', instanceId, targetNodeId, reason: reason ?? null }),
      )
    },
  }),
}))
