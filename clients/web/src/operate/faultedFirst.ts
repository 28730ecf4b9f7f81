/** One page of a query. */
export interface Part<Row> {
  rows: Row[]
  endCursor: string | null
  hasMore: boolean
  eventCursor: string
}

type Read<Row, Failure> = (
  group: 'faulted' | 'others',
  first: number,
  after: string | null,
) => Promise<Part<Row> | { failure: Failure }>

/**
 * A page of a list that has the faulted rows before all others; its cursor tells in which of the two lists it lies.
 * The place in the event log is that of the first reading, so that nothing between the two is missed.
 */
export async function faultedFirst<Row, Failure>(
  read: Read<Row, Failure>,
  { first, after }: { first: number; after: string | null },
): Promise<Part<Row> | { failure: Failure }> {
  if (after?.startsWith('others:')) return marked('others', await read('others', first, after.slice(7) || null))
  const faulted = marked('faulted', await read('faulted', first, after?.slice(8) || null))
  if ('failure' in faulted || faulted.hasMore) return faulted
  const left = first - faulted.rows.length
  if (left <= 0) return { ...faulted, endCursor: 'others:', hasMore: true }
  const others = marked('others', await read('others', left, null))
  if ('failure' in others) return others
  return { ...others, rows: [...faulted.rows, ...others.rows], eventCursor: faulted.eventCursor }
}

function marked<Row, Failure>(group: string, part: Part<Row> | { failure: Failure }) {
  return 'failure' in part
    ? part
    : { ...part, endCursor: part.endCursor === null ? null : `${group}:${part.endCursor}` }
}
