import { partition } from './access.js'
import { builder } from './builder.js'
import type { Context } from './context.js'

/** A person of the directory. */
export interface Person {
  id: string
  name: string
  email: string | null
  managerId: string | null
  groups: string[]
}

const columns = { id: true, name: true, email: true, managerId: true, groups: true } as const

/** A person, loaded from the directory; one whom it does not know goes by the id. */
export const User = builder.loadableObject('User', {
  description: 'A person. One who is not in the directory goes by the id.',
  load: async (ids: string[], context: Context): Promise<Person[]> => {
    const known = await partition(context).orm.user.findMany({ where: { id: { in: ids } }, select: columns })
    const found = new Map(known.map((user) => [user.id, user]))
    return ids.map((id) => found.get(id) ?? { id, name: id, email: null, managerId: null, groups: [] })
  },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id by which tasks are assigned.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    email: t.exposeString('email', { nullable: true, description: 'The e-mail address, where it is known.' }),
    groups: t.exposeStringList('groups', { description: 'The groups that the directory has the person in.' }),
  }),
})

builder.objectField(User, 'manager', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'Whom the person reports to, where it is known.',
    resolve: ({ managerId }) => managerId,
  }),
)
