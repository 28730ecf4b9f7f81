import { useEffect, useRef } from 'react'
import { useApp } from '../api/context'
import { watch } from '../api/watch'
import { instanceEvents } from './documents'

const patience = 120

/**
 * Calls back when something happened to the instance since the cursor, or to any where none is named (for operators);
 * several events at once. Nothing is watched until the page with its cursor is there.
 */
export function useInstanceEvents(instanceId: string | null, cursor: string | null, onChange: () => void): void {
  const { connection } = useApp()
  const change = useRef(onChange)
  change.current = onChange
  const latest = useRef(cursor)
  latest.current = cursor
  const ready = cursor !== null
  useEffect(() => {
    if (!ready) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        change.current()
      }, patience)
    }
    const end = watch(
      connection,
      instanceEvents,
      { instanceId, after: latest.current },
      {
        onEvent: ({ instanceEvents: event }) => {
          soon()
          return event.cursor
        },
        onExpired: soon,
      },
    )
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [connection, instanceId, ready])
}
