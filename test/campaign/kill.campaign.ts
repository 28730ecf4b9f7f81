import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ask, leave, type Node, publishDelay, startNode, startNodes } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { brokenInvariants } from '../support/storedInvariants.js'

const kills = Number(process.env.CAMPAIGN_KILLS ?? 50)
const clients = Number(process.env.CAMPAIGN_CLIENTS ?? 4)

async function startWait(nodes: readonly Node[], number: number): Promise<string> {
  const source = `mutation { it: startInstance(input: { name: "wait", idempotencyKey: "w${number}" }) { instance { id } } }`
  const { instance } = (await ask(nodes, number, 'alice', source)) as unknown as { instance: { id: string } }
  return instance.id
}

onPostgres('three nodes that are killed at random under load', (database, url) => {
  it('lose no answered command, double none, and go on with timers', async () => {
    const nodes = await startNodes(url(), 3)
    await publishDelay(nodes, 'wait', '00:00:01')
    const before = await database().prisma.instance.count({ where: { definitionName: 'hr.leave' } })
    const leaves: string[] = []
    const waits: string[] = []
    let over = false
    let next = 0
    const load = Array.from({ length: clients }, async () => {
      while (!over) {
        const number = next++
        leaves.push(await leave(nodes, number))
        waits.push(await startWait(nodes, number))
      }
    })
    for (let killed = 0; killed < kills; killed += 1) {
      await pause(Math.random() * 1500)
      const place = Math.floor(Math.random() * nodes.length)
      const victim = nodes[place] as Node
      victim.child.kill('SIGKILL')
      await once(victim.child, 'exit').catch(() => {})
      nodes[place] = await startNode(url())
      if ((killed + 1) % 10 === 0) console.log(`${killed + 1} kills, ${leaves.length + waits.length} instances`)
    }
    over = true
    await Promise.all(load)

    const { prisma } = database()
    await eventually(async () =>
      expect(await prisma.instance.count({ where: { definitionName: 'wait', status: 'RUNNING' } })).toBe(0),
    )
    expect(new Set([...leaves, ...waits]).size).toBe(leaves.length + waits.length)
    expect(await prisma.instance.count({ where: { definitionName: 'hr.leave' } })).toBe(before + leaves.length)
    expect(await prisma.instance.count({ where: { id: { in: leaves }, status: 'COMPLETED', revision: 2 } })).toBe(
      leaves.length,
    )
    expect(await prisma.instance.count({ where: { definitionName: 'wait', status: 'COMPLETED' } })).toBe(waits.length)
    expect(await brokenInvariants(database())).toEqual([])
    console.log(`${kills} kills: ${leaves.length} leaves and ${waits.length} timers, nothing lost, nothing doubled`)
  })
})
