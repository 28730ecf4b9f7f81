import { expect, it } from 'vitest'
import { onBothDatabases } from '../support/databases.js'
import { ask, contextOf, person, refusals } from './ask.js'

const admin = person('boss', ['admin'])
const fields = 'id url description topics enabled createdAt'
const create = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { ${fields} } } }`
const change = `mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { ${fields} } } }`
const rotate = `mutation ($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) { secret webhook { id previousSecretUntil } } }`
const ping = 'mutation ($input: IdInput!) { testWebhook(input: $input) { deliveryId } }'
const again = 'mutation ($input: IdInput!) { redeliverWebhook(input: $input) { deliveryId } }'
const remove = 'mutation ($input: IdInput!) { deleteWebhook(input: $input) { deletedId } }'
const list = `{ webhooks { ${fields} } }`
const one = `query ($id: ID!, $status: WebhookDeliveryStatus, $first: Int, $after: String) { webhook(id: $id) {
  deliveries(status: $status, first: $first, after: $after) {
    nodes { id eventId type instanceId status attempts nextAttemptAt statusCode fault { message } body endedAt }
    totalCount pageInfo { hasNextPage endCursor } } } }`
const nobody = '00000000-0000-7000-8000-000000000000'
const good = { url: 'https://hooks.example.com/countersign', topics: ['workflow.task.*', 'workflow.custom'] }

onBothDatabases('webhooks', (database) => {
  const call = (source: string, input: object, actor = admin) => ask(database(), actor, source, { input })
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

  async function registered(input: object = {}) {
    const { webhook, secret } = (await call(create, { ...good, ...input })).data.createWebhook
    return { id: webhook.id as string, secret: secret as string, webhook }
  }

  it('are registered, changed, given a new secret and removed; the secret is told once', async () => {
    const { id, secret, webhook } = await registered({ description: 'sales' })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toMatchObject({ ...good, description: 'sales', enabled: true })
    const { updateWebhook } = (await call(change, { id, topics: ['*'], enabled: false })).data
    expect(updateWebhook.webhook).toEqual({ ...webhook, topics: ['*'], enabled: false })
    const { rotateWebhookSecret } = (await call(rotate, { id })).data
    expect(rotateWebhookSecret.secret).toMatch(/^whsec_/)
    expect(rotateWebhookSecret.secret).not.toBe(secret)
    const overlap = Date.parse(rotateWebhookSecret.webhook.previousSecretUntil) - Date.now()
    expect(overlap).toBeGreaterThan(86_300_000)
    expect(overlap).toBeLessThanOrEqual(86_400_000)
    const { webhook: atOnce } = (await call(rotate, { id, overlapSeconds: 0 })).data.rotateWebhookSecret
    expect(atOnce.previousSecretUntil).toBeNull()
    const { data } = await ask(database(), admin, list)
    expect(ids(data.webhooks)).toEqual([id])
    expect(JSON.stringify(data)).not.toContain('whsec_')
    expect((await call(remove, { id })).data.deleteWebhook.deletedId).toBe(id)
    expect((await ask(database(), admin, list)).data.webhooks).toEqual([])
  })

  it('show their deliveries in pages, the latest first, and the dead ones, which can be sent again', async () => {
    const { id } = await registered()
    const pings: string[] = []
    for (let count = 0; count < 3; count += 1)
      pings.unshift((await call(ping, { id })).data.testWebhook.deliveryId as string)
    const page = async (variables: object) =>
      (await ask(database(), admin, one, { id, ...variables })).data.webhook.deliveries
    const first = await page({ first: 2 })
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    expect(first.nodes[0]).toMatchObject({ type: 'webhook.ping', status: 'PENDING', attempts: 0 })
    expect(JSON.parse(first.nodes[0].body)).toMatchObject({ id: first.nodes[0].eventId, tenant: 'acme' })
    const rest = await page({ first: 2, after: first.pageInfo.endCursor })
    expect(ids([...first.nodes, ...rest.nodes])).toEqual(pings)
    const dead = { where: { id: pings[1] ?? '' }, data: { status: 'DEAD', endedAt: new Date() } } as const
    await database().prisma.webhookDelivery.updateMany(dead)
    expect(ids((await page({ status: 'DEAD' })).nodes)).toEqual([pings[1]])
    expect((await call(again, { id: pings[1] })).data.redeliverWebhook.deliveryId).toBe(pings[1])
    expect((await page({ status: 'DEAD' })).totalCount).toBe(0)
    expect((await page({ status: 'PENDING' })).totalCount).toBe(3)
  })

  it('are refused to all but administrators of the partition', async () => {
    const { id } = await registered()
    const { deliveryId } = (await call(ping, { id })).data.testWebhook
    const denied = ['WORKFLOW_DENIED_003', 'workflow.access.permission_missing']
    const operator = person('op', ['operate', 'design'])
    const commands = [
      [create, good],
      [change, { id, enabled: false }],
      [rotate, { id }],
      [ping, { id }],
      [again, { id: deliveryId }],
      [remove, { id }],
    ] as const
    for (const [source, input] of commands) expect(refusals(await call(source, input, operator))).toEqual([denied])
    expect(refusals(await ask(database(), operator, list))).toEqual([denied])
    expect(refusals(await ask(database(), operator, one, { id }))).toEqual([denied])
    const elsewhere = person('boss', ['admin'], { tenantId: 'other' })
    expect((await ask(database(), elsewhere, list)).data.webhooks).toEqual([])
    expect((await ask(database(), elsewhere, one, { id })).data.webhook).toBeNull()
    for (const source of [change, rotate, ping, remove])
      expect(refusals(await call(source, { id }, elsewhere))).toEqual([
        ['WORKFLOW_VALIDATION_002', 'workflow.webhook.not_found'],
      ])
    await database().prisma.webhookDelivery.updateMany({ data: { status: 'DEAD', endedAt: new Date() } })
    expect(refusals(await call(again, { id: deliveryId }, elsewhere))).toEqual([
      ['WORKFLOW_VALIDATION_002', 'workflow.webhook.delivery_not_ended'],
    ])
  })

  it('refuse URLs that are none, unknown topics, and ids of nothing', async () => {
    const keyOf = async (source: string, input: object) => refusals(await call(source, input))
    const refused = (key: string) => [['WORKFLOW_VALIDATION_002', key]]
    for (const url of ['hooks', 'ftp://example.com', 'https://me:x@example.com', `https://e.com/${'a'.repeat(2000)}`])
      expect(await keyOf(create, { ...good, url })).toEqual(refused('workflow.webhook.url_invalid'))
    const { id } = await registered()
    expect(await keyOf(change, { id, url: 'hooks' })).toEqual(refused('workflow.webhook.url_invalid'))
    expect(await keyOf(create, { ...good, topics: [] })).toEqual(refused('workflow.webhook.topics_invalid'))
    expect(await keyOf(change, { id, topics: ['workflow.tasks.*'] })).toEqual(refused('workflow.events.topic_unknown'))
    expect(await keyOf(create, { ...good, description: 'x'.repeat(1001) })).toEqual(
      refused('workflow.webhook.description_invalid'),
    )
    for (const overlapSeconds of [-1, 604_801])
      expect(await keyOf(rotate, { id, overlapSeconds })).toEqual(refused('workflow.webhook.overlap_invalid'))
    const page = await ask(database(), admin, one, { id, first: 1001 })
    expect(refusals(page)).toEqual(refused('workflow.webhook.query_page_invalid'))
    for (const unknown of [nobody, 'junk']) {
      expect(await keyOf(ping, { id: unknown })).toEqual(refused('workflow.webhook.not_found'))
      expect(await keyOf(again, { id: unknown })).toEqual(refused('workflow.webhook.delivery_not_ended'))
    }
    expect(await ask(database(), admin, list)).toMatchObject({ data: { webhooks: [{ id, ...good }] } })
  })

  it('are limited in number for each partition, whoever comes at the same time', async () => {
    const { runtime } = contextOf(database(), admin)
    runtime.options = { ...runtime.options, maxWebhooks: 2 }
    const register = (actor = admin) => ask(database(), actor, create, { input: good }, { runtime })
    const answers = await Promise.all([register(), register(), register(), register()])
    const full = ['WORKFLOW_VALIDATION_002', 'workflow.webhook.too_many']
    expect(answers.flatMap(refusals)).toEqual([full, full])
    expect(refusals(await register(person('boss', ['admin'], { tenantId: 'other' })))).toEqual([])
  })
})
