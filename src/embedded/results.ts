import type { ActivityResult, NewBookmark } from '../engine/activities/activity.js'
import type { Fault, JsonObject } from '../engine/model.js'

/** What a waiting activity waits for: a kind, and of the rest what matters to it. */
export type Awaited = Pick<NewBookmark, 'kind'> & Partial<NewBookmark>

/** Lets a node of the application's wait until a bookmark is consumed: by a signal, a time or `resumeBookmark`. */
export function suspend(bookmarks: readonly Awaited[], state: JsonObject = {}): ActivityResult {
  const unset = { key: null, correlationId: null, dueAt: null, payload: {}, task: null }
  return { kind: 'suspend', bookmarks: bookmarks.map((bookmark) => ({ ...unset, ...bookmark })), state }
}

/** Lets the node fail: its retry policy decides what comes of it. */
export function fail(fault: Fault): ActivityResult {
  return { kind: 'fail', fault }
}
