import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A new secret, as the receiver is given it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/**
 * The headers of the Standard Webhooks specification for a message.
 * @param secrets each signs: while a secret is being changed, the endpoint may know either
 * @param at when it is sent, in epoch milliseconds; receivers refuse what is minutes old
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  at: number,
): { [name: string]: string } {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest('base64')
}
