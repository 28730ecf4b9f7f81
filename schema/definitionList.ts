import type { Definition as DefinitionRow } from '../src/generated/prisma/client.js'
import { definitionList } from '../src/persistence/definitionList.js'
import { isStorable } from '../src/persistence/text.js'
import { partition, seesDrafts } from './access.js'
import { builder } from './builder.js'
import { connect, connectionType } from './connection.js'
import { Definition } from './definition.js'
import { DefinitionStatus, SortDirection } from './enums.js'
import { loadersOf } from './loaders.js'
import { checkedSorts, pageArgs, pageComplexity } from './paging.js'

const DefinitionConnection = connectionType<DefinitionRow>('Definition', Definition, 'definitions')

const DefinitionFilter = builder.inputType('DefinitionFilter', {
  description: 'Which definitions; all that is given must hold.',
  fields: (t) => ({
    keyword: t.string({ description: 'Contained in the name, display name or description, without regard to case.' }),
    name: t.string({ description: 'Exactly this name.' }),
    category: t.string({ description: 'Exactly this category.' }),
    status: t.field({ type: DefinitionStatus, description: 'In this status.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Made at or after this moment.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Made before this moment.' }),
  }),
})

const DefinitionSortField = builder.enumType('DefinitionSortField', {
  description: 'What definitions can be ordered by.',
  values: {
    NAME: { description: 'The name.' },
    TITLE: { description: 'The first 256 characters of the title.' },
    VERSION: { description: 'The version.' },
    STATUS: { description: 'The status, in the order of its life.' },
    CREATED_AT: { description: 'When it was made.' },
    PUBLISHED_AT: { description: 'When it was published; null before that.' },
  } as const,
})

const DefinitionSort = builder.inputType('DefinitionSort', {
  description: 'One sort of a list of definitions.',
  fields: (t) => ({
    field: t.field({ type: DefinitionSortField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: SortDirection, required: true, defaultValue: 'ASC', description: 'Which end first.' }),
  }),
})

builder.queryFields((t) => ({
  definition: t.field({
    type: Definition,
    nullable: true,
    description: 'One version of a definition; null when it does not exist or the caller may not see it.',
    args: { id: t.arg.id({ required: true, description: 'The id of the version.' }) },
    resolve: async (_root, { id }, context) => {
      const found = await loadersOf(context).definition.load(id)
      return found?.status === 'PUBLISHED' || seesDrafts(context) ? found : null
    },
  }),
  publishedDefinition: t.field({
    type: Definition,
    nullable: true,
    description: 'A published definition by its name; null when there is none.',
    args: {
      name: t.arg.string({ required: true, description: 'The name.' }),
      version: t.arg.int({ description: 'The version; the newest published one when it is not given.' }),
    },
    resolve: (_root, { name, version }, context) =>
      isStorable(name)
        ? partition(context).orm.definition.findFirst({
            where: { name, status: 'PUBLISHED', ...(version === null || version === undefined ? {} : { version }) },
            orderBy: { version: 'desc' },
          })
        : null,
  }),
  definitions: t.field({
    type: DefinitionConnection,
    description: 'The definitions: published ones, and all for those who design or operate.',
    args: {
      filter: t.arg({ type: DefinitionFilter, description: 'Which ones; all when it is not given.' }),
      sorts: t.arg({
        type: [DefinitionSort],
        description: 'Up to 6 sorts, each field once. By default the name, then the newest version first.',
      }),
      ...pageArgs(t.arg),
    },
    complexity: pageComplexity,
    resolve: (_root, args, context, info) => {
      const sorts = checkedSorts(context, 'definition', 6, args.sorts)
      const list = definitionList(args.filter ?? {}, sorts, !seesDrafts(context))
      return connect<DefinitionRow>(context, info, 'definition', list, args)
    },
  }),
}))
