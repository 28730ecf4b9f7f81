import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Broker } from '../cloudEvent.js'

export interface NatsOptions {
  url: string
  /** The stream that keeps the events; made where it is missing. Its subjects begin with its name in lower case. */
  stream: string
}

/** Connects to NATS JetStream. Each event goes to `<stream>.<tenant>.<topic>`, `_` standing for the platform. */
export async function connectNats({ url, stream }: NatsOptions): Promise<Broker> {
  const connection = await connect({ servers: url, name: 'countersign', maxReconnectAttempts: -1 })
  try {
    const prefix = stream.toLowerCase()
    const manager = await jetstreamManager(connection)
    const known = await manager.streams.info(stream).catch(() => null)
    if (!known) await manager.streams.add({ name: stream, subjects: [`${prefix}.>`] })
    const broker = jetstream(connection)
    return {
      async publish(events) {
        // One after the other: were one lost while a later one is kept, the next try would store them out of order.
        for (const event of events) {
          const subject = `${prefix}.${tokenOf(event.tenant ?? '')}.${event.type}`
          await broker.publish(subject, JSON.stringify(event), { msgID: event.id })
        }
      },
      close: () => connection.drain(),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** A tenant as one token of a subject: dots, blanks and wildcards mean something there. */
function tokenOf(tenantId: string): string {
  if (tenantId === '') return '_'
  return tenantId.replace(/[^\w-]/gu, (character) => `=${character.codePointAt(0)?.toString(16)}=`)
}
