import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { leave, startNodes } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'
import { expectAllEvents, follow, lastEvent } from '../support/followers.js'
import { brokenInvariants } from '../support/storedInvariants.js'

const seconds = Number(process.env.CAMPAIGN_SECONDS ?? 60)
const writers = 24
const approvers = ['ann', 'ben', 'cleo']

onPostgres('subscribers that are cut off at random while many write', (database, url) => {
  it('get each event once and in order', async () => {
    const nodes = await startNodes(url(), 2)
    const begun = await lastEvent(database())
    const followers = await follow(nodes, approvers, 10)
    const leaves: string[] = []
    let cuts = 0
    let over = false
    let next = 0
    const load = Array.from({ length: writers }, async () => {
      while (!over) {
        const number = next++
        leaves.push(await leave(nodes, number, approvers[number % approvers.length]))
      }
    })
    const cutting = followers.map(async ({ follower }) => {
      while (!over) {
        await pause(Math.random() * 2000)
        follower.cut()
        cuts += 1
      }
    })
    await pause(seconds * 1000)
    over = true
    await Promise.all([...load, ...cutting])

    const events = await expectAllEvents(database(), followers, begun)
    await Promise.all(followers.map(({ follower }) => follower.stop()))
    for (const { follower } of followers) expect([...follower.codes]).toEqual([])
    expect(await database().prisma.instance.count({ where: { id: { in: leaves }, status: 'COMPLETED' } })).toBe(
      leaves.length,
    )
    expect(await brokenInvariants(database())).toEqual([])
    console.log(`${seconds} s, ${leaves.length} approvals, ${cuts} cuts: ${events} events, each once and in order`)
  })
})
