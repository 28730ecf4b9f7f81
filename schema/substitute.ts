import { may } from '../src/engine/command.js'
import type { Substitute as SubstituteRow } from '../src/generated/prisma/client.js'
import { removeSubstitute, setSubstitute } from '../src/people.js'
import { isStorable, isUuid } from '../src/persistence/text.js'
import { actorOf, demand, now, partition } from './access.js'
import { builder } from './builder.js'
import { DeletePayload } from './deletePayload.js'
import { accepted, invalid } from './errors.js'
import { IdInput } from './idInput.js'
import { User } from './user.js'

const Substitute = builder.objectRef<SubstituteRow>('Substitute').implement({
  description: 'Who stands in for a person while he is absent.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    user: t.field({ type: User, description: 'Who is absent.', resolve: ({ userId }) => userId }),
    substitute: t.field({ type: User, description: 'Who stands in.', resolve: ({ substituteId }) => substituteId }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'From when on.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Until when.' }),
  }),
})

const SubstitutePayload = builder.objectRef<SubstituteRow>('SubstitutePayload').implement({
  description: 'A substitute that was named.',
  fields: (t) => ({ substitute: t.field({ type: Substitute, description: 'It.', resolve: (row) => row }) }),
})

const SetSubstituteInput = builder.inputType('SetSubstituteInput', {
  description: 'Who stands in for whom, and when.',
  fields: (t) => ({
    userId: t.id({ description: 'Who is absent: the caller, unless an operator names another.' }),
    substituteId: t.id({ required: true, description: 'Who stands in.' }),
    startsAt: t.field({ type: 'DateTime', description: 'From when on: now when it is left out.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'Until when.' }),
  }),
})

const aboutOthers = 'For another person it needs the permission `operate`.'

builder.queryField('substitutes', (t) =>
  t.field({
    type: [Substitute],
    description: `The present and coming absences of a person, the next first. ${aboutOthers}`,
    args: { userId: t.arg.id({ description: 'Whose: the caller’s when it is left out.' }) },
    resolve: async (_root, { userId }, context) => {
      const { userId: callerId } = actorOf(context)
      const person = userId ?? callerId
      if (person !== callerId) demand(context, 'operate')
      if (!isStorable(person)) return []
      return await partition(context).orm.substitute.findMany({
        where: { userId: person, endsAt: { gt: now(context) } },
        orderBy: [{ startsAt: 'asc' }, { seq: 'asc' }],
        take: 1000,
      })
    },
  }),
)

builder.mutationFields((t) => ({
  setSubstitute: t.field({
    type: SubstitutePayload,
    description: `Names who stands in while a person is absent: tasks made in that time go to him. Of several the newest holds. ${aboutOthers}`,
    args: { input: t.arg({ type: SetSubstituteInput, required: true, description: 'Who, and when.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = actorOf(context)
      const userId = input.userId ?? actor.userId
      if (userId !== actor.userId) demand(context, 'operate')
      const { substituteId, endsAt } = input
      const absence = { userId, substituteId, startsAt: input.startsAt ?? now(context), endsAt }
      return accepted(context, await setSubstitute(context.runtime, actor, absence))
    },
  }),
  removeSubstitute: t.field({
    type: DeletePayload,
    description: `Takes an absence back; tasks that went to the substitute stay with him. ${aboutOthers}`,
    args: { input: t.arg({ type: IdInput, required: true, description: 'Which one.' }) },
    resolve: async (_root, { input: { id } }, context) => {
      const actor = actorOf(context)
      const owner = may(actor, 'operate') ? null : actor.userId
      const removed = isUuid(id) ? await removeSubstitute(context.runtime, actor, id, owner) : null
      return { deletedId: accepted(context, removed ?? invalid('workflow.user.substitute_not_found', { id })) }
    },
  }),
}))
