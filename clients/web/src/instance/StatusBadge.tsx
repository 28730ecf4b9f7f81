import { Badge } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react'
import type { InstanceStatus } from '../generated/graphql'

const shown: Record<InstanceStatus, { color: string; Mark: typeof IconCheck }> = {
  RUNNING: { color: 'indigo.8', Mark: IconPlayerPlay },
  SUSPENDED: { color: 'orange.9', Mark: IconPlayerPause },
  COMPLETED: { color: 'teal.9', Mark: IconCheck },
  CANCELED: { color: 'gray.7', Mark: IconBan },
  FAULTED: { color: 'red.9', Mark: IconAlertTriangle },
  TERMINATED: { color: 'gray.8', Mark: IconPlayerStop },
}

/** The status of an instance by colour, mark and name. */
export function StatusBadge({ status, name }: { status: InstanceStatus; name: string }) {
  const { color, Mark } = shown[status]
  return (
    <Badge
      color={color}
      autoContrast={false}
      data-status={status}
      leftSection={<Mark size={12} aria-hidden />}
      style={{ flex: 'none' }}
    >
      {name}
    </Badge>
  )
}
