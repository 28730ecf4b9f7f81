import { uuidv7 } from 'uuidv7'
import type { Actor } from './engine/command.js'
import { isRefusal, type Refusal, refusal } from './engine/model.js'
import { topics } from './engine/topics.js'
import { matchesTopic } from './eventLog.js'
import { encodeCursor } from './persistence/events.js'
import { isStorable, isUuid } from './persistence/text.js'
import { databaseTime } from './persistence/time.js'
import { inTransaction, type Transaction } from './persistence/transaction.js'
import { insertDeliveries, repeatDelivery } from './persistence/webhookDeliveries.js'
import {
  countWebhooks,
  deleteWebhook as deleteRow,
  followLog,
  insertWebhook,
  lockWebhook,
  placeToBegin,
  updateWebhook as updateRow,
  type Webhook,
} from './persistence/webhooks.js'
import { invalid } from './refusals.js'
import type { Runtime } from './runtime.js'
import { newSecret } from './webhookSignature.js'

/** The type of the event that only a test sends. */
export const pingType = 'webhook.ping'

const maxUrl = 2000
const maxTopics = 100
const maxDescription = 1000
/** How long the secret before signs too, in seconds: by default, and at most. */
const standardOverlap = 86_400
const longestOverlap = 7 * 86_400

/** What can be said of an endpoint; null leaves it as it is. */
export interface WebhookFacts {
  url: string | null
  topics: readonly string[] | null
  description: string | null
  enabled: boolean | null
}

/** Registers an endpoint: it is sent what is committed from now on. The secret is shown this once. */
export async function createWebhook(runtime: Runtime, actor: Actor, facts: WebhookFacts): Promise<Webhook | Refusal> {
  const refused = refuseFacts(facts) ?? (facts.url === null ? invalid('workflow.webhook.url_invalid') : null)
  if (refused) return refused
  const place = await placeToBegin(runtime.database.prisma)
  const createdAt = new Date(runtime.clock?.now() ?? (await databaseTime(runtime.database.prisma)))
  return await inTransaction(runtime.database, async (tx) => {
    // Its lock makes two that come together count one after the other.
    await followLog(tx, place)
    const max = runtime.options.maxWebhooks
    if ((await countWebhooks(tx, actor.tenantId)) >= max) return invalid('workflow.webhook.too_many', { max })
    return await insertWebhook(tx, {
      tenantId: actor.tenantId,
      id: uuidv7(),
      url: facts.url ?? '',
      topics: [...(facts.topics ?? ['workflow.*'])],
      description: facts.description,
      enabled: facts.enabled ?? true,
      secret: newSecret(),
      since: encodeCursor(place),
      createdAt,
    })
  })
}

/** Changes an endpoint. One that is enabled again is sent what is committed from now on, and what had waited before. */
export async function updateWebhook(
  runtime: Runtime,
  actor: Actor,
  id: string,
  facts: WebhookFacts,
): Promise<Webhook | Refusal> {
  const refused = refuseFacts(facts)
  if (refused) return refused
  const place = await placeToBegin(runtime.database.prisma)
  const changed = await change(runtime, actor, id, async (row, tx) => {
    const begins = facts.enabled === true && !row.enabled
    if (begins) await followLog(tx, place)
    return {
      ...row,
      url: facts.url ?? row.url,
      topics: facts.topics === null ? row.topics : [...facts.topics],
      description: facts.description ?? row.description,
      enabled: facts.enabled ?? row.enabled,
      since: begins ? encodeCursor(place) : row.since,
    }
  })
  if (!isRefusal(changed)) runtime.wake()
  return changed
}

/**
 * Gives an endpoint a new secret; attempts from now on are signed with it, and for some time with the one before as well.
 * @param overlap how long, in seconds; null: a day
 */
export async function rotateSecret(
  runtime: Runtime,
  actor: Actor,
  id: string,
  overlap: number | null = null,
): Promise<Webhook | Refusal> {
  const seconds = overlap ?? standardOverlap
  if (seconds < 0 || seconds > longestOverlap)
    return invalid('workflow.webhook.overlap_invalid', { max: longestOverlap })
  const now = runtime.clock?.now() ?? (await databaseTime(runtime.database.prisma))
  const until = seconds === 0 ? null : new Date(now + seconds * 1000)
  return await change(runtime, actor, id, async (row) => ({
    ...row,
    secret: newSecret(),
    previousSecret: until && row.secret,
    previousSecretUntil: until,
  }))
}

/** Forgets an endpoint and all that was to be sent to it. */
export async function deleteWebhook(runtime: Runtime, actor: Actor, id: string): Promise<string | Refusal> {
  if (!isUuid(id)) return notFound(id)
  const gone = await inTransaction(runtime.database, (tx) => deleteRow(tx, actor.tenantId, id))
  return gone ? id : notFound(id)
}

/** Sends a message that says nothing, to see whether it arrives. @returns the id of its delivery */
export async function testWebhook(runtime: Runtime, actor: Actor, id: string): Promise<string | Refusal> {
  const now = runtime.clock?.now() ?? (await databaseTime(runtime.database.prisma))
  const [deliveryId, eventId] = [uuidv7(), uuidv7()]
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: '/workflow',
    type: pingType,
    time: new Date(now).toISOString(),
    datacontenttype: 'application/json',
    ...(actor.tenantId !== '' && { tenant: actor.tenantId }),
    data: { actorId: actor.userId },
  }
  const changed = await change(runtime, actor, id, async (row, tx) => {
    const { tenantId } = row
    const delivery = { tenantId, id: deliveryId, webhookId: id, eventId, type: pingType, instanceId: null }
    await insertDeliveries(tx, [{ ...delivery, body: JSON.stringify(envelope) }], runtime.clock?.now() ?? null)
    return row
  })
  if (isRefusal(changed)) return changed
  runtime.wake()
  return deliveryId
}

/** Sends once more what has arrived, or was given up. */
export async function redeliver(runtime: Runtime, actor: Actor, deliveryId: string): Promise<string | Refusal> {
  const repeated =
    isUuid(deliveryId) &&
    (await inTransaction(runtime.database, (tx) =>
      repeatDelivery(tx, actor.tenantId, deliveryId, runtime.clock?.now() ?? null),
    ))
  if (!repeated) return invalid('workflow.webhook.delivery_not_ended', { id: deliveryId })
  runtime.wake()
  return deliveryId
}

async function change(
  runtime: Runtime,
  { tenantId }: Actor,
  id: string,
  to: (row: Webhook, tx: Transaction) => Promise<Webhook>,
): Promise<Webhook | Refusal> {
  if (!isUuid(id)) return notFound(id)
  return await inTransaction(runtime.database, async (tx) => {
    const row = await lockWebhook(tx, tenantId, id)
    if (!row) return notFound(id)
    const changed = await to(row, tx)
    await updateRow(tx, changed)
    return changed
  })
}

function refuseFacts({ url, topics: patterns, description }: WebhookFacts): Refusal | null {
  if (url !== null && !isAddress(url)) return invalid('workflow.webhook.url_invalid')
  if (description !== null && (description.length > maxDescription || !isStorable(description)))
    return invalid('workflow.webhook.description_invalid', { max: maxDescription })
  if (patterns === null) return null
  if (patterns.length === 0 || patterns.length > maxTopics)
    return invalid('workflow.webhook.topics_invalid', { max: maxTopics })
  const unknown = patterns.find((pattern) => !topics.some((topic) => matchesTopic(pattern, topic)))
  return unknown === undefined ? null : invalid('workflow.events.topic_unknown', { topic: unknown })
}

/** Names and passwords do not belong into URLs; where the address leads is checked with every attempt. */
function isAddress(url: string): boolean {
  if (url.length > maxUrl || !isStorable(url) || !URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

function notFound(id: string): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', 'workflow.webhook.not_found', { id })
}
