/** The longest time that a timer can hold; a longer one would fire at once. */
const longest = 2 ** 31 - 1

/**
 * Runs something when an identity ends.
 * @param expiresAt epoch milliseconds; null: never
 * @returns the way to call it off
 */
export function atExpiry(expiresAt: number | null, run: () => void): () => void {
  if (expiresAt === null) return () => {}
  let timer: NodeJS.Timeout
  const wait = () => {
    const left = expiresAt - Date.now()
    timer = left > longest ? setTimeout(wait, longest) : setTimeout(run, Math.max(0, left))
    timer.unref()
  }
  wait()
  return () => clearTimeout(timer)
}
