import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { CountersignClient, ExternalTaskWorker } from '../../clients/node/src/index.js'
import { as } from '../api/network.js'
import { order, publishOrders, workerClient } from '../client/workers.js'
import { type Node, startNodes } from '../support/cluster.js'
import { onPostgres } from '../support/databases.js'
import { eventually } from '../support/eventually.js'
import { type ServerProxy, startProxy } from '../support/proxy.js'

const portOf = ({ url }: Node) => Number(new URL(url).port)

/** Three nodes, and what hands connections to those that live. */
async function startCluster(url: string): Promise<{ nodes: [Node, Node, Node]; proxy: ServerProxy }> {
  const nodes = (await startNodes(url, 3)) as [Node, Node, Node]
  return { nodes, proxy: await startProxy(nodes.map(portOf)) }
}

async function kill(node: Node): Promise<void> {
  node.child.kill('SIGKILL')
  await node.ended
}

onPostgres('the Node client before three nodes', (database, url) => {
  it('does every task once for a worker that lives, while a node is killed', async () => {
    const total = 40
    const { nodes, proxy } = await startCluster(url())
    const client = workerClient({ url: nodes[0].url })
    await publishOrders(client)
    const done: string[] = []
    const workers = [1, 2].map(() =>
      new ExternalTaskWorker({
        client: workerClient(proxy),
        topic: 'ship',
        // Short, as tasks whose fetch was cut off with the node come back only when their lock ends.
        lockSeconds: 6,
        concurrency: 4,
        handler: ({ payload }) => {
          done.push((payload as { order: string }).order)
          if (done.length === total / 4) nodes[1].child.kill('SIGKILL')
          return { shipped: true }
        },
      }).start(),
    )
    try {
      for (let no = 0; no < total; no += 1) await order(client, String(no))
      const where = { definitionName: 'orders' }
      await eventually(async () =>
        expect(await database().prisma.instance.count({ where: { ...where, status: 'COMPLETED' } })).toBe(total),
      )
      expect((await nodes[1].ended).signal).toBe('SIGKILL')
      expect(done.toSorted()).toEqual(Array.from({ length: total }, (_, no) => String(no)).toSorted())
      expect(await database().prisma.bookmark.count({ where: { kind: 'EXTERNAL' } })).toBe(0)
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()))
    }
  }, 240_000)

  it('goes on with a subscription on another node when its own is killed', async () => {
    const { nodes, proxy } = await startCluster(url())
    const [first, , last] = nodes
    proxy.ports = [portOf(first)]
    const client = new CountersignClient({
      url: `${proxy.url}/graphql`,
      headers: as('bob'),
      transport: 'websocket',
      webSocket: WebSocket,
    })
    const events = client.taskEvents({ types: ['workflow.task.created'] })
    const ask = async () => {
      const alice = new CountersignClient({ url: `${last.url}/graphql`, headers: as('alice'), transport: 'sse' })
      const variables = { applicant: 'Alice', days: 1, approvers: 'bob' }
      return (await alice.startInstance({ name: 'hr.leave', variables })).instance.id
    }
    const next = async () => (await events.next()).value?.instanceId
    const pending = next()
    await eventually(async () => {
      const metrics = await (await fetch(`${first.url}/metrics`)).text()
      expect(metrics).toContain('countersign_subscribers 1')
    })
    const seen = await ask()
    expect(await pending).toBe(seen)
    await kill(first)
    const missed = [await ask(), await ask()]
    proxy.ports = nodes.slice(1).map(portOf)
    const received = [await next(), await next()]
    const live = await ask()
    expect([...received, await next()]).toEqual([...missed, live])
    await events.return()
  })
})
