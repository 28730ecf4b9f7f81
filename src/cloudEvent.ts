import type { EventRow } from './persistence/events.js'

/** An event as it leaves the system: CloudEvents 1.0 with our two extensions. */
export interface CloudEvent {
  specversion: '1.0'
  id: string
  source: '/workflow'
  type: string
  time: string
  /** The instance, where the event is about one. */
  subject?: string
  datacontenttype: 'application/json'
  /** The partition; not set for the platform's. */
  tenant?: string
  correlation?: string
  data: object
}

/** Where a relay carries events to. */
export interface Broker {
  /** Hands events over in their order; resolves once the broker has all of them. Repeated ids are dropped there. */
  publish(events: readonly CloudEvent[]): Promise<void>
  close(): Promise<void>
}

/** The CloudEvents envelope of an event of the log. */
export function cloudEventOf(event: EventRow): CloudEvent {
  const { id, type, at, tenantId, instanceId, correlationId } = event
  const { instanceSeq, definitionName, nodeId, taskId, actorId, recipients, data } = event
  return {
    specversion: '1.0',
    id,
    source: '/workflow',
    type,
    time: at.toISOString(),
    ...(instanceId !== null && { subject: instanceId }),
    datacontenttype: 'application/json',
    ...(tenantId !== '' && { tenant: tenantId }),
    ...(correlationId !== null && { correlation: correlationId }),
    data: { instanceId, instanceSeq, definitionName, nodeId, taskId, actorId, recipients, ...(data as object | null) },
  }
}
