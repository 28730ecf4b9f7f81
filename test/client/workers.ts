import { CountersignClient } from '../../clients/node/src/index.js'
import { as } from '../api/network.js'
import { document } from '../support/engine.js'

type Endpoint = { url: string }

/** A client of a worker; it also starts and reads. */
export const workerClient = ({ url }: Endpoint) =>
  new CountersignClient({ url: `${url}/graphql`, headers: as('w', 'work,operate,design'), transport: 'sse' })

/** Publishes a process of one step that a worker of the topic `ship` does. */
export async function publishOrders(client: CountersignClient): Promise<void> {
  const orders = document(
    'orders',
    { s: 'Start', x: ['ExternalTask', { Topic: 'ship', Payload: { order: '{{ no }}' } }], end: 'End' },
    ['s>x', 'x>end'],
  )
  const { definition } = await client.createDefinition({ document: orders })
  await client.publishDefinition({ id: definition.id })
}

/** Starts an order and gives the id of its instance. */
export async function order(client: CountersignClient, no: string): Promise<string> {
  const { instance } = await client.startInstance({ name: 'orders', variables: { no } })
  return instance.id
}
