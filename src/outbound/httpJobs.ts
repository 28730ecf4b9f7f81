import type { HttpRequest } from '../engine/activities/http.js'
import { findInexactNumber } from '../engine/definition/jsonNumbers.js'
import { checkJson } from '../engine/definition/value.js'
import type { JobResult } from '../engine/jobs.js'
import { type Fault, fault, type Json, type JsonObject } from '../engine/model.js'
import type { Outbound, OutboundReply } from './client.js'
import { decodeBody, isJsonType } from './replyBody.js'

/** Makes the calls of Http nodes: one exchange, whose reply is checked before the process takes it. */
export function httpJobs(outbound: Outbound): (payload: JsonObject, signal: AbortSignal) => Promise<JobResult> {
  return async (payload, signal) => {
    // The job holds what the Http activity put there.
    const { timeout, ...request } = payload as unknown as HttpRequest
    const exchanged = await outbound.exchange(request, timeout, signal)
    return exchanged.ok ? outputOf(exchanged.reply) : exchanged
  }
}

function outputOf({ status, reason, headers, body }: OutboundReply): JobResult {
  const read = readReply(body, headers['content-type'] ?? '')
  if (!read.ok) return read
  const output: JsonObject = { status, reason, headers, body: read.value }
  const refused = checkJson(output, '$')
  return refused
    ? { ok: false, fault: fault(refused.code, refused.messageKey, refused.arguments) }
    : { ok: true, output }
}

/** JSON as what it says, all else as text; so is what only pretends to be JSON. */
function readReply(body: Uint8Array, contentType: string): { ok: true; value: Json } | { ok: false; fault: Fault } {
  if (body.byteLength === 0) return { ok: true, value: null }
  const text = decodeBody(body, contentType)
  if (!isJsonType(contentType)) return { ok: true, value: text }
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return { ok: true, value: text }
  }
  const inexact = findInexactNumber(text)
  if (inexact === null) return { ok: true, value }
  const { path, number } = inexact
  const args = { path: `$.body${path.slice(1)}`.slice(0, 200), number: number.slice(0, 100) }
  return { ok: false, fault: fault('WORKFLOW_VALIDATION_002', 'workflow.http.number_inexact', args) }
}
