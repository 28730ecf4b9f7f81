import type { Refusal } from '../src/engine/model.js'
import { decodeCursor, type Position } from '../src/persistence/cursor.js'
import type { List, PageRequest } from '../src/persistence/page.js'
import type { Sort } from '../src/persistence/sort.js'
import type { ArgBuilder } from './builder.js'
import type { Context } from './context.js'
import { invalid, refusalError } from './errors.js'

/** The page size where none is given. */
export const defaultPageSize = 100
/** The largest page. */
export const maxPageSize = 1000

/** What the messages about a list speak of. */
export type ListNoun = 'definition' | 'instance' | 'task' | 'user' | 'webhook'

export interface BranchArguments {
  first?: number | null | undefined
  after?: string | null | undefined
}

export interface PageArguments extends BranchArguments {
  last?: number | null | undefined
  before?: string | null | undefined
  skip?: number | null | undefined
}

/** `first` and `after`, for the lists below a row. */
export function branchArgs(arg: ArgBuilder) {
  return {
    first: arg.int({ description: `The size of the page: 1 to ${maxPageSize}, by default ${defaultPageSize}.` }),
    after: arg.string({ description: 'The cursor of the row before the page.' }),
  }
}

/** All the arguments of a list. */
export function pageArgs(arg: ArgBuilder) {
  return {
    ...branchArgs(arg),
    last: arg.int({ description: 'The size of a page taken from the end, instead of `first`.' }),
    before: arg.string({ description: 'The cursor of the row after the page.' }),
    skip: arg.int({ description: 'How many rows to leave out, for page numbers. Not together with a cursor.' }),
  }
}

/** What a page costs: its own field, and as many times what stands below it as it has rows. */
export function pageComplexity(args: PageArguments): { field: number; multiplier: number } {
  const asked = args.first ?? args.last ?? defaultPageSize
  return { field: 1, multiplier: Math.min(Math.max(asked, 1), maxPageSize) }
}

/** Reads the paging arguments of a list before any query. @throws GraphQLError WORKFLOW_VALIDATION_002 */
export function pageRequest(context: Context, noun: ListNoun, list: List, args: PageArguments): PageRequest {
  const { first, last, skip } = args
  const size = first ?? last ?? defaultPageSize
  if (size < 1 || size > maxPageSize || (skip ?? 0) < 0)
    throw refusalError(context, invalid(`workflow.${noun}.query_page_invalid`, { max: maxPageSize }))
  const unclear = ambiguity(args)
  if (unclear) throw refusalError(context, unclear)
  return {
    size,
    backward: isGiven(last),
    after: positionOf(context, list, args.after),
    before: positionOf(context, list, args.before),
    skip: skip ?? 0,
  }
}

function ambiguity({ first, last, after, before, skip }: PageArguments): Refusal | null {
  if (isGiven(first) && isGiven(last)) return invalid('workflow.page.first_and_last')
  if (!isGiven(skip)) return null
  return isGiven(after) || isGiven(before) || isGiven(last) ? invalid('workflow.page.skip_with_cursor') : null
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

/** The place that a cursor of this list names. @throws GraphQLError WORKFLOW_VALIDATION_002 for any other text */
export function positionOf(
  context: Context,
  list: Pick<List, 'table' | 'keys'>,
  cursor: string | null | undefined,
): Position | null {
  if (!isGiven(cursor)) return null
  const position = decodeCursor(list.table, list.keys, cursor)
  if (position) return position
  throw refusalError(context, invalid('workflow.page.cursor_invalid'))
}

/** The sorts asked for, each field once and no more than allowed. @throws GraphQLError WORKFLOW_VALIDATION_002 */
export function checkedSorts<Field extends string>(
  context: Context,
  noun: ListNoun,
  max: number,
  sorts: readonly Sort<Field>[] | null | undefined,
): readonly Sort<Field>[] {
  if (!isGiven(sorts)) return []
  if (sorts.length > max)
    throw refusalError(context, invalid(`workflow.${noun}.query_sorts_too_many`, { count: sorts.length, max }))
  const twice = sorts.find((sort, index) => sorts.findIndex((other) => other.field === sort.field) !== index)
  if (twice) throw refusalError(context, invalid(`workflow.${noun}.query_sort_duplicate`, { sort: twice.field }))
  return sorts
}
