import type { CombinedError } from '@urql/core'
import { useCallback, useEffect, useRef, useState } from 'react'

/** One page of a list, as a query answers it. */
export interface Page<Row> {
  rows: Row[]
  endCursor: string | null
  hasMore: boolean
  /** Where events go on after this page; null where the list has none. */
  eventCursor: string | null
}

export interface Pages<Row> extends Page<Row> {
  loading: boolean
  error: CombinedError | null
  more: () => void
  reload: () => void
}

type Load<Row> = (page: { first: number; after: string | null }) => Promise<Page<Row> | CombinedError>

const size = 100
const most = 1000
const nothing = { rows: [], endCursor: null, hasMore: false, eventCursor: null }

/** A list that is read page by page, and read again from its beginning as far as it was shown. */
export function usePages<Row>(load: Load<Row>): Pages<Row> {
  const [page, setPage] = useState<Page<Row>>(nothing)
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState<CombinedError | null>(null)
  // Only the latest reading counts: an older answer that comes later is let go.
  const turn = useRef(0)
  const shown = useRef(0)
  const read = useCallback(
    async (request: { first: number; after: string | null }) => {
      turn.current += 1
      const mine = turn.current
      setLoading(true)
      const answer = await load(request)
      if (mine !== turn.current) return
      setLoading(false)
      if (!('rows' in answer)) return setError(answer)
      setError(null)
      setPage((before) => {
        const rows = request.after === null ? answer.rows : [...before.rows, ...answer.rows]
        shown.current = rows.length
        return { ...answer, rows, eventCursor: request.after === null ? answer.eventCursor : before.eventCursor }
      })
    },
    [load],
  )
  useEffect(() => {
    void read({ first: size, after: null })
  }, [read])
  const reload = useCallback(
    () => void read({ first: Math.min(most, Math.max(size, shown.current)), after: null }),
    [read],
  )
  const more = () => {
    if (page.hasMore && !loading) void read({ first: size, after: page.endCursor })
  }
  return { ...page, loading, error, more, reload }
}
