/** The operations that are being carried out on this node, over whichever transport. */
export interface RunningOperations {
  /** Notes the beginning of one; answers the way to note its end. */
  begin(): () => void
  /** Resolves when there are none, or after so many milliseconds. */
  settle(patience: number): Promise<void>
}

/** Creates the count of running operations, for a shutdown that lets them finish. */
export function createRunningOperations(): RunningOperations {
  const running = new Set<object>()
  let onIdle = () => {}
  return {
    begin() {
      const operation = {}
      running.add(operation)
      return () => {
        running.delete(operation)
        if (running.size === 0) onIdle()
      }
    },
    async settle(patience) {
      if (running.size === 0) return
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, patience)
        onIdle = () => {
          clearTimeout(late)
          resolve()
        }
      })
    },
  }
}
