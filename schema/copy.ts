import type { Copy as CopyRow } from '../src/generated/prisma/client.js'
import { copyList, markCopiesRead } from '../src/persistence/copyList.js'
import { actorOf, now, partition } from './access.js'
import { builder } from './builder.js'
import { connect, connectionType } from './connection.js'
import { Instance } from './instance.js'
import { loadersOf } from './loaders.js'
import { branchArgs, pageComplexity } from './paging.js'

const Copy = builder.prismaObject('Copy', {
  description: 'Something that was copied to a person.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id.' }),
    taskTitle: t.exposeString('taskTitle', { description: 'The title of the task that it is about.' }),
    nodeId: t.exposeID('nodeId', { description: 'The node that sent it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was read; null before that.',
    }),
    instance: t.field({
      type: Instance,
      description: 'The instance that it is about.',
      resolve: async ({ instanceId }, _args, context) => {
        const found = await loadersOf(context).instance.load(instanceId)
        if (!found) throw new Error(`instance ${instanceId} is gone`)
        return found
      },
    }),
  }),
})

const CopyConnection = connectionType<CopyRow>('Copy', Copy, 'copies')

const CopiesPayload = builder.objectRef<{ unread: number }>('CopiesPayload').implement({
  description: 'What is left to read.',
  fields: (t) => ({ unread: t.exposeInt('unread', { description: 'How many copies stay unread.' }) }),
})

const MarkCopiesReadInput = builder.inputType('MarkCopiesReadInput', {
  description: 'What was read.',
  fields: (t) => ({ ids: t.idList({ description: 'All when null.' }) }),
})

builder.queryField('copies', (t) =>
  t.field({
    type: CopyConnection,
    description: 'What was copied to the viewer: the unread first, the newest first, then what was read last.',
    args: { unreadOnly: t.arg.boolean({ description: 'Leave out what was read.' }), ...branchArgs(t.arg) },
    complexity: pageComplexity,
    resolve: (_root, args, context, info) =>
      connect<CopyRow>(context, info, 'task', copyList(actorOf(context).userId, args.unreadOnly === true), args),
  }),
)

builder.mutationField('markCopiesRead', (t) =>
  t.field({
    type: CopiesPayload,
    description: 'Marks the viewer’s copies as read.',
    args: { input: t.arg({ type: MarkCopiesReadInput, required: true, description: 'Which ones.' }) },
    resolve: async (_root, { input }, context) => {
      const { userId } = actorOf(context)
      return { unread: await markCopiesRead(partition(context), userId, input.ids ?? null, now(context)) }
    },
  }),
)
