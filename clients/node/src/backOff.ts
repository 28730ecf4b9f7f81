const shortest = 100
const longest = 15_000

/** How long to wait before another attempt, in milliseconds: twice as long each time, at random so that clients spread. */
export function backOff(attempt: number): number {
  const most = Math.min(longest, shortest * 2 ** attempt)
  return most / 2 + (Math.random() * most) / 2
}

/** Waits; the end of the signal ends it. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.max(0, milliseconds))
    signal?.addEventListener('abort', end)
  })
}
