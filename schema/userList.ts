import { userList } from '../src/persistence/users.js'
import { builder, type Ref } from './builder.js'
import { connect, connectionType } from './connection.js'
import { pageArgs, pageComplexity } from './paging.js'
import { type Person, User } from './user.js'

// The list gives whole people: there is nothing left to load.
const UserConnection = connectionType<Person>('User', User as unknown as Ref<Person>, 'people')

builder.queryField('users', (t) =>
  t.field({
    type: UserConnection,
    description: 'The people of the directory by name: for choosing one.',
    args: {
      keyword: t.arg.string({ description: 'Contained in the name, the id or the e-mail address, whatever the case.' }),
      group: t.arg.string({ description: 'Only the people of this group.' }),
      ...pageArgs(t.arg),
    },
    complexity: pageComplexity,
    resolve: (_root, { keyword, group, ...page }, context, info) =>
      connect<Person>(context, info, 'user', userList({ keyword, group }), page),
  }),
)
