import { vi } from 'vitest'

/** Waits until an expectation holds: long, since it may be a loaded machine that makes it late. Answers what it answers. */
export function eventually<T>(holds: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(holds, { timeout: 60_000, interval: 20 })
}
