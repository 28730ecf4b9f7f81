import type { GraphQLResolveInfo } from 'graphql'
import { type Cursored, countList, type List, type Page, readPage } from '../src/persistence/page.js'
import { partition } from './access.js'
import { builder, type Ref } from './builder.js'
import type { Context } from './context.js'
import { type ListNoun, type PageArguments, pageRequest } from './paging.js'
import { selects } from './selection.js'

/** A page of a list, read when its rows are asked for, and its total, counted when it is asked for. */
export interface Connection<Row> {
  page: () => Promise<Page<Row>>
  count: () => Promise<number>
  /** Where the event log stood before anything was read; empty where nobody asks. */
  eventCursor: string
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether rows follow the page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether rows come before the page.' }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first row; null where there is none.',
      resolve: (page) => startAndEnd(page)[0],
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last row; null where there is none.',
      resolve: (page) => startAndEnd(page)[1],
    }),
  }),
})

function startAndEnd(page: Page<unknown>): [string | null, string | null] {
  const rows = page.rows as { cursor: string }[]
  return [rows[0]?.cursor ?? null, rows.at(-1)?.cursor ?? null]
}

/**
 * Defines `<name>Connection` and `<name>Edge`, the one pair that every list of the type shares.
 * @param what the plural that the descriptions speak of
 */
export function connectionType<Row extends object>(name: string, node: Ref<Row>, what: string): Ref<Connection<Row>> {
  const Edge = builder.objectRef<Cursored<Row>>(`${name}Edge`)
  builder.objectType(Edge, {
    description: `One of the ${what} of a page, with its place in the list.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'The place of the row: give it to `after` or `before`.',
        resolve: (row) => row.cursor,
      }),
      node: t.field({ type: node, description: 'The row.', resolve: (row) => row as never }),
    }),
  })
  const Connected = builder.objectRef<Connection<Row>>(`${name}Connection`)
  builder.objectType(Connected, {
    description: `A page of ${what}.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The rows with their cursors.',
        // The page's own size is counted on the list's field.
        complexity: { field: 0, multiplier: 1 },
        resolve: async (connection) => (await connection.page()).rows,
      }),
      nodes: t.field({
        type: [node],
        description: 'The rows alone.',
        complexity: { field: 0, multiplier: 1 },
        resolve: async (connection) => (await connection.page()).rows as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where the page lies in the list.',
        resolve: (connection) => connection.page(),
      }),
      totalCount: t.int({
        description: 'How many rows the whole list has; counted only when it is selected.',
        resolve: (connection) => connection.count(),
      }),
    }),
  })
  return Connected
}

/** Adds `eventCursor` to a connection whose rows can be watched. */
export function addEventCursor<Row>(connection: Ref<Connection<Row>>): void {
  builder.objectField(connection, 'eventCursor', (t) =>
    t.string({
      description: 'Subscribe with `after: eventCursor` and nothing that happened since this page was read is missed.',
      resolve: ({ eventCursor }) => eventCursor,
    }),
  )
}

/** The page of a list that the arguments ask for. @throws GraphQLError WORKFLOW_VALIDATION_002 before any query */
export async function connect<Row>(
  context: Context,
  info: GraphQLResolveInfo,
  noun: ListNoun,
  list: List,
  args: PageArguments,
): Promise<Connection<Row>> {
  const request = pageRequest(context, noun, list, args)
  const withRows = ['nodes', 'edges', 'pageInfo'].some((name) => selects(info, name))
  const withTotal = withRows && selects(info, 'totalCount')
  const page = once(() => readPage<Row>(partition(context), list, request, withTotal))
  return {
    eventCursor: await eventCursorOf(context, info),
    page,
    count: once(async () => (withTotal && (await page()).total) || (await countList(partition(context), list))),
  }
}

/**
 * Where the event log stands now, if the field being resolved is asked for it; else empty.
 * To be read before the rows: an event in between is then seen twice rather than never.
 */
export async function eventCursorOf(context: Context, info: GraphQLResolveInfo): Promise<string> {
  return selects(info, 'eventCursor') ? await context.feed.position() : ''
}

/** The value made at the first call, for every call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
