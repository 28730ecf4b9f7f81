import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/persistence/database.js'
import { migrateDatabase } from '../../src/persistence/migrate.js'
import { as, post } from '../api/network.js'
import { leave, type Node, startNodes } from '../support/cluster.js'
import { expectAllEvents, follow, lastEvent } from '../support/followers.js'
import { type PostgresServer, startPostgres } from '../support/postgresServer.js'
import { brokenInvariants } from '../support/storedInvariants.js'

const restarts = Number(process.env.CAMPAIGN_RESTARTS ?? 10)
const clients = 4

/** The code that a node answers a question with; null when it answers it. */
async function codeOf(node: Node): Promise<string | null> {
  const { body } = await post(node, '{ instances(first: 1) { totalCount } }', as('olga', 'operate'))
  return body.errors?.[0]?.extensions.code ?? null
}

/** How long it takes until all nodes carry out commands, in milliseconds. */
async function recovery(nodes: readonly Node[], number: number): Promise<number> {
  const begun = performance.now()
  await Promise.all(nodes.map((node, place) => leave([node], number + place)))
  return performance.now() - begun
}

describe('a database that crashes under load', () => {
  let server: PostgresServer
  let database: Database

  beforeAll(async () => {
    server = await startPostgres()
    database = await openDatabase({ url: server.url })
    await migrateDatabase(database)
  })

  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })

  it('takes no node with it and loses nothing that was answered', async () => {
    const nodes = await startNodes(server.url, 2)
    const before = await database.prisma.instance.count({ where: { definitionName: 'hr.leave' } })
    const begun = await lastEvent(database)
    const followers = await follow(nodes, ['bob'], 6)
    const leaves: string[] = []
    let over = false
    let next = 0
    const load = Array.from({ length: clients }, async () => {
      while (!over) leaves.push(await leave(nodes, next++))
    })
    const recoveries: number[] = []
    for (let count = 1; count <= restarts; count += 1) {
      await pause(2000 + Math.random() * 3000)
      await server.crash()
      for (const node of nodes) expect(await codeOf(node)).toBe('WORKFLOW_UNAVAILABLE_001')
      await pause(Math.random() * 5000)
      await server.start()
      recoveries.push(await recovery(nodes, -2 * count))
      console.log(
        `${count} restarts, ${leaves.length} leaves, answering after ${Math.round(recoveries.at(-1) ?? 0)} ms`,
      )
    }
    over = true
    await Promise.all(load)

    expect(Math.max(...recoveries)).toBeLessThan(5000)
    expect(nodes.map(({ child }) => [child.exitCode, child.signalCode])).toEqual(nodes.map(() => [null, null]))
    const where = { id: { in: leaves }, status: 'COMPLETED', revision: 2 } as const
    expect(await database.prisma.instance.count({ where })).toBe(leaves.length)
    expect(await database.prisma.instance.count({ where: { definitionName: 'hr.leave' } })).toBe(
      before + leaves.length + nodes.length * restarts,
    )
    const events = await expectAllEvents(database, followers, begun)
    await Promise.all(followers.map(({ follower }) => follower.stop()))
    for (const { follower } of followers) expect([[], ['WORKFLOW_UNAVAILABLE_001']]).toContainEqual([...follower.codes])
    expect(await brokenInvariants(database)).toEqual([])
    console.log(`${restarts} restarts: ${leaves.length} leaves, ${events} events, none lost, none doubled`)
  })
})
