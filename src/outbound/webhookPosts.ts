import { type Fault, fault } from '../engine/model.js'
import type { Outbound } from './client.js'

/**
 * Posts the messages of webhooks by the guarded way out.
 * @returns what posts one within so many milliseconds: the status of the answer and, unless that is 2xx, why it has not arrived
 */
export function webhookPosts(outbound: Outbound) {
  return async (
    message: { url: string; headers: { [name: string]: string }; body: string },
    timeout: number,
    signal: AbortSignal,
  ): Promise<{ statusCode: number | null; fault: Fault | null }> => {
    // Behind a redirect the body may be gone, and what answers there would pass for the endpoint.
    const exchanged = await outbound.exchange({ method: 'POST', redirects: 0, ...message }, timeout, signal)
    if (!exchanged.ok) return { statusCode: null, fault: exchanged.fault }
    const { status, reason } = exchanged.reply
    const taken = status >= 200 && status < 300
    return {
      statusCode: status,
      fault: taken ? null : fault('WORKFLOW_UNEXPECTED_001', 'workflow.http.error_status', { status, reason }),
    }
  }
}
