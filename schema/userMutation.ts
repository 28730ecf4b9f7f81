import { changeMembership, removeUsers, upsertUsers } from '../src/people.js'
import { demand } from './access.js'
import { builder } from './builder.js'
import { accepted } from './errors.js'
import { User } from './user.js'

const needsAdmin = 'Needs the permission `admin`.'

const UserInput = builder.inputType('UserInput', {
  description: 'A person as the directory shall have him.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id by which he signs in and tasks are assigned.' }),
    name: t.string({ required: true, description: 'The name to show.' }),
    email: t.string({ description: 'The e-mail address.' }),
    managerId: t.id({ description: 'Whom he reports to.' }),
    groups: t.stringList({ description: 'The groups that he is in.' }),
  }),
})

const UpsertUsersInput = builder.inputType('UpsertUsersInput', {
  description: 'People for the directory.',
  fields: (t) => ({
    users: t.field({
      type: [UserInput],
      required: true,
      description: 'Up to 1000; what is left out of one is emptied.',
    }),
  }),
})

const RemoveUsersInput = builder.inputType('RemoveUsersInput', {
  description: 'People who leave the directory.',
  fields: (t) => ({ ids: t.idList({ required: true, description: 'Up to 1000.' }) }),
})

const ChangeMembershipInput = builder.inputType('ChangeMembershipInput', {
  description: 'Who enters and who leaves a group.',
  fields: (t) => ({
    group: t.string({ required: true, description: 'The group.' }),
    add: t.idList({ description: 'Who enters it.' }),
    remove: t.idList({ description: 'Who leaves it.' }),
  }),
})

const UsersPayload = builder.objectRef<{ ids: string[] }>('UsersPayload').implement({
  description: 'People as they stand in the directory now.',
  fields: (t) => ({ users: t.field({ type: [User], description: 'The people.', resolve: ({ ids }) => ids }) }),
})

const RemoveUsersPayload = builder.objectRef<{ removed: number }>('RemoveUsersPayload').implement({
  description: 'What was removed.',
  fields: (t) => ({ removed: t.exposeInt('removed', { description: 'How many people are gone.' }) }),
})

builder.mutationFields((t) => ({
  upsertUsers: t.field({
    type: UsersPayload,
    description: `Writes people into the directory; one who is there already is replaced. ${needsAdmin}`,
    args: { input: t.arg({ type: UpsertUsersInput, required: true, description: 'The people.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'admin')
      const entries = input.users.map(({ id, name, email = null, managerId = null, groups }) => {
        return { id, name, email, managerId, groups: groups ?? [] }
      })
      return { ids: accepted(context, await upsertUsers(context.runtime, actor, entries)) }
    },
  }),
  removeUsers: t.field({
    type: RemoveUsersPayload,
    description: `Takes people out of the directory; their tasks and their history stay. ${needsAdmin}`,
    args: { input: t.arg({ type: RemoveUsersInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, context) => {
      const actor = demand(context, 'admin')
      return { removed: accepted(context, await removeUsers(context.runtime, actor, input.ids)) }
    },
  }),
  changeMembership: t.field({
    type: UsersPayload,
    description: `Puts people into a group and takes others out. ${needsAdmin}`,
    args: { input: t.arg({ type: ChangeMembershipInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input: { group, add, remove } }, context) => {
      const actor = demand(context, 'admin')
      const request = { group, add: add ?? [], remove: remove ?? [] }
      return { ids: accepted(context, await changeMembership(context.runtime, actor, request)) }
    },
  }),
}))
