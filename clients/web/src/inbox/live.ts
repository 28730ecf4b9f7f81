import { useEffect, useRef } from 'react'
import { useApp } from '../api/context'
import { watch } from '../api/watch'
import { taskEvents } from './documents'

const patience = 150

/**
 * Calls back when something happened to the viewer's tasks since the cursor, several events at once. Nothing is watched
 * until the list with its cursor is there.
 */
export function useTaskEvents(cursor: string | null, onChange: (created: string[]) => void): void {
  const { connection } = useApp()
  const change = useRef(onChange)
  change.current = onChange
  // One subscription goes on over all later readings of the list.
  const ready = cursor !== null
  const first = useRef(cursor)
  if (first.current === null) first.current = cursor
  useEffect(() => {
    if (!ready) return
    let created: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        change.current(created)
        created = []
      }, patience)
    }
    const end = watch(
      connection,
      taskEvents,
      { after: first.current },
      {
        onEvent: ({ taskEvents: event }) => {
          if (event.type === 'workflow.task.created' && event.task) created.push(event.task.title)
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
  }, [connection, ready])
}
