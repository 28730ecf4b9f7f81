import type { Instance as InstanceRow } from '../src/generated/prisma/client.js'
import { type InstanceFilter as Filter, instanceList } from '../src/persistence/instanceList.js'
import { readerOf } from './access.js'
import { builder } from './builder.js'
import { addEventCursor, connect } from './connection.js'
import type { Context } from './context.js'
import { InstanceStatus, SortDirection } from './enums.js'
import { invalid, refusalError } from './errors.js'
import { Instance, InstanceConnection } from './instance.js'
import { loadersOf } from './loaders.js'
import { checkedSorts, pageArgs, pageComplexity } from './paging.js'

addEventCursor(InstanceConnection)

const maxCorrelationIds = 1000

const InstanceFilter = builder.inputType('InstanceFilter', {
  description: 'Which instances; all that is given must hold.',
  fields: (t) => ({
    keyword: t.string({ description: 'Contained in the title or the correlation id, without regard to case.' }),
    statuses: t.field({ type: [InstanceStatus], description: 'In one of these statuses; an empty list is none.' }),
    definitionName: t.string({ description: 'Runs of this definition.' }),
    correlationIds: t.stringList({
      description: 'With one of these correlation ids; up to 1000, none of them blank; an empty list is none.',
    }),
    parentId: t.id({ description: 'Started as a step of this instance.' }),
    topLevelOnly: t.boolean({ description: 'Not started as a step of another instance.' }),
    starterId: t.id({ description: 'Started by this person.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Started at or after this moment.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Started before this moment.' }),
    endedBefore: t.field({ type: 'DateTime', description: 'Ended before this moment.' }),
  }),
})

const InstanceSortField = builder.enumType('InstanceSortField', {
  description: 'What instances can be ordered by.',
  values: {
    CREATED_AT: { description: 'When it was started.' },
    ENDED_AT: { description: 'When it ended; null before that.' },
    STATUS: { description: 'The status, in the order of its life.' },
    DEFINITION_NAME: { description: 'The name of the definition.' },
    TITLE: { description: 'The first 256 characters of the title.' },
  } as const,
})

const InstanceSort = builder.inputType('InstanceSort', {
  description: 'One sort of a list of instances.',
  fields: (t) => ({
    field: t.field({ type: InstanceSortField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: SortDirection, required: true, defaultValue: 'ASC', description: 'Which end first.' }),
  }),
})

builder.queryFields((t) => ({
  instance: t.field({
    type: Instance,
    nullable: true,
    description: 'One instance; null when it does not exist or the caller may not see it.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: (_root, { id }, context) => loadersOf(context).visibleInstance.load(id),
  }),
  instances: t.field({
    type: InstanceConnection,
    description:
      'The instances that the caller started, has or had a task in, or was copied on; all for those who operate.',
    args: {
      filter: t.arg({ type: InstanceFilter, description: 'Which ones; all when it is not given.' }),
      sorts: t.arg({
        type: [InstanceSort],
        description: 'Up to 5 sorts, each field once. By default the newest first.',
      }),
      ...pageArgs(t.arg),
    },
    complexity: pageComplexity,
    resolve: (_root, args, context, info) => {
      const sorts = checkedSorts(context, 'instance', 5, args.sorts)
      const list = instanceList(checkedFilter(context, args.filter ?? {}), sorts, readerOf(context))
      return connect<InstanceRow>(context, info, 'instance', list, args)
    },
  }),
}))

function checkedFilter(context: Context, filter: Filter): Filter {
  const ids = filter.correlationIds ?? []
  if (ids.length <= maxCorrelationIds && ids.every((id) => id.trim() !== '')) return filter
  const refused = invalid('workflow.instance.query_correlations_invalid', { count: ids.length, max: maxCorrelationIds })
  throw refusalError(context, refused)
}
