import { Text, Timeline } from '@mantine/core'
import { IconCheck, IconMessage, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OneTaskQuery } from '../generated/graphql'
import { Time } from '../inbox/Time'

type Instance = NonNullable<OneTaskQuery['task']>['instance']
type Record = Instance['history']['nodes'][number]

/** Who said what, the earliest first. */
export function History({ records }: { records: readonly Record[] }) {
  const { t } = useTranslation('task')
  if (records.length === 0) return <Text className="muted">{t('noHistory')}</Text>
  return (
    <Timeline bulletSize={24} lineWidth={2} active={records.length}>
      {records.map((record) => (
        <Timeline.Item
          key={record.id}
          bullet={<Mark record={record} />}
          color={record.outcome === 'rejected' ? 'red.8' : 'indigo'}
          title={<Text fw={600}>{titleOf(record)}</Text>}
        >
          <Text size="sm" className="muted">
            {record.nodeTitle} · {t(`actions.${record.action}`)}
            {record.outcome && ` · ${t(`outcomes.${record.outcome}`, record.outcome)}`}
            {record.target && ` → ${record.target.name}`}
          </Text>
          {record.comment && <Text mt={4}>{record.comment}</Text>}
          <Time at={record.at} />
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function titleOf({ actor }: Record): string {
  return actor?.name ?? 'Countersign'
}

function Mark({ record }: { record: Record }) {
  if (record.outcome === 'rejected') return <IconX size={14} aria-hidden />
  return record.action === 'COMMENTED' ? <IconMessage size={14} aria-hidden /> : <IconCheck size={14} aria-hidden />
}
