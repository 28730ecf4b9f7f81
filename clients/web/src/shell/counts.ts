import { useEffect, useState } from 'react'
import { useApp } from '../api/context'
import { watch } from '../api/watch'
import { graphql } from '../generated'
import type { CountsSubscription } from '../generated/graphql'

const countsSubscription = graphql(`
  subscription Counts {
    inboxCounts {
      todo
      overdue
      startedRunning
      unreadCopies
    }
  }
`)

export type Counts = CountsSubscription['inboxCounts']

/** The numbers on the tabs, live. */
export function useCounts(): Counts | null {
  const { connection } = useApp()
  const [counts, setCounts] = useState<Counts | null>(null)
  useEffect(
    () =>
      watch(
        connection,
        countsSubscription,
        {},
        {
          onEvent: ({ inboxCounts }) => {
            setCounts(inboxCounts)
            return null
          },
          onExpired: () => {},
        },
      ),
    [connection],
  )
  return counts
}
