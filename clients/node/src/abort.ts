/** An abort controller that also follows signals, until it is freed. */
export class Aborter extends AbortController {
  private readonly followed: [AbortSignal, () => void][] = []

  constructor(...signals: (AbortSignal | undefined)[]) {
    super()
    for (const signal of signals) if (signal) this.follow(signal)
  }

  /** Follows no more: a signal that lives long must not hold what it was once used for. */
  free(): void {
    for (const [signal, follow] of this.followed) signal.removeEventListener('abort', follow)
    this.followed.length = 0
  }

  private follow(signal: AbortSignal): void {
    if (signal.aborted) return this.abort(signal.reason)
    const follow = () => this.abort(signal.reason)
    signal.addEventListener('abort', follow, { once: true })
    this.followed.push([signal, follow])
  }
}
