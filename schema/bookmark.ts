import { builder } from './builder.js'
import { BookmarkKind } from './enums.js'
import { shownWhole } from './hiddenFields.js'

/** What an instance waits for: a row. */
export const Bookmark = builder.prismaObject('Bookmark', {
  description: 'Something that an instance waits for.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id; that of the task, where it waits for one.' }),
    kind: t.expose('kind', { type: BookmarkKind, description: 'What it waits for.' }),
    key: t.exposeString('key', { nullable: true, description: 'The assignee, the signal’s name, the topic.' }),
    nodeId: t.exposeID('nodeId', { nullable: true, description: 'The node that waits.' }),
    nodeInstanceId: t.exposeID('nodeInstanceId', { nullable: true, description: 'The run of the node that waits.' }),
    correlationId: t.exposeString('correlationId', {
      nullable: true,
      description: 'The correlation id that a signal must have; null for any.',
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'When the engine goes on by itself.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when it waits.' }),
    payload: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What the kind needs beside its key; null for work in the background, and where variables of the instance are hidden from the caller.',
      // What a job sends may hold secrets: headers are for the other side alone.
      resolve: ({ kind, payload, instanceId }, _args, context) =>
        kind === 'JOB' ? null : shownWhole(context, instanceId ?? '', payload),
    }),
  }),
})
