import type { Database } from '../persistence/database.js'

export interface Notifier {
  /** Something was committed that other nodes want to know of. */
  notify(): void
  stop(): Promise<void>
}

/**
 * Wakes the other nodes with an empty notification, at most one in each interval and never inside a transaction:
 * there it would make commits wait for each other.
 */
export function createNotifier(database: Database, interval: number): Notifier {
  // Embedded, there are no other nodes.
  if (database.kind === 'pglite') return { notify: () => {}, stop: async () => {} }
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()
  const send = () => {
    timer = null
    // A lost notification is made good by the other nodes' poll.
    sending = database.notify().catch(() => {})
  }
  return {
    notify() {
      timer ??= setTimeout(send, interval)
    },
    async stop() {
      if (timer) {
        clearTimeout(timer)
        send()
      }
      await sending
    },
  }
}
