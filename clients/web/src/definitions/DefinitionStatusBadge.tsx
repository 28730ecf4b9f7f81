import { Badge } from '@mantine/core'
import { IconArchive, IconBan, IconCheck, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DefinitionStatus } from '../generated/graphql'

const shown: Record<DefinitionStatus, { color: string; Mark: typeof IconCheck }> = {
  DRAFT: { color: 'orange.9', Mark: IconPencil },
  PUBLISHED: { color: 'teal.9', Mark: IconCheck },
  DISABLED: { color: 'gray.7', Mark: IconBan },
  ARCHIVED: { color: 'gray.8', Mark: IconArchive },
}

/** The status of a version by colour, mark and name. */
export function DefinitionStatusBadge({ status }: { status: DefinitionStatus }) {
  const { t } = useTranslation('definitions')
  const { color, Mark } = shown[status]
  return (
    <Badge
      color={color}
      autoContrast={false}
      data-status={status}
      leftSection={<Mark size={12} aria-hidden />}
      style={{ flex: 'none' }}
    >
      {t(`statuses.${status}`)}
    </Badge>
  )
}
