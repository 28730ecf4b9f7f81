import { stringifyDocument, type TypedDocumentNode } from '@urql/core'
import type { Connection } from './connection'

export interface WatchHandlers<Data> {
  /** Answers the cursor of the event, where it has one. */
  onEvent: (data: Data) => string | null
  /** The cursor is older than what the server keeps: read the list again. */
  onExpired: () => void
}

/**
 * Watches events. After a broken connection the subscription is sent again with the cursor of the last event seen, so
 * that nothing in between is missed: the variables are read anew each time.
 * @returns the function that ends it
 */
export function watch<Data, Variables extends { after?: string | null }>(
  { socket }: Connection,
  document: TypedDocumentNode<Data, Variables>,
  given: Variables,
  { onEvent, onExpired }: WatchHandlers<Data>,
): () => void {
  const variables = { ...given }
  return socket.subscribe<Data>(
    { query: stringifyDocument(document), variables },
    {
      next: ({ data, errors }) => {
        if (errors?.some(isExpired)) return onExpired()
        if (!data) return
        const cursor = onEvent(data)
        if (cursor !== null) variables.after = cursor
      },
      error: (error) => {
        if (Array.isArray(error) && error.some(isExpired)) onExpired()
      },
      complete: () => {},
    },
  )
}

function isExpired({ extensions }: { extensions?: Record<string, unknown> | null }): boolean {
  return extensions?.messageKey === 'workflow.events.cursor_expired'
}
