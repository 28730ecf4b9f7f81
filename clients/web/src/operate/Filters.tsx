import { Group, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import type { InstanceStatus } from '../generated/graphql'
import { namesQuery } from './documents'

export interface Filter {
  keyword: string
  status: InstanceStatus | null
  definitionName: string | null
  /** Days, as the browser's date field gives them: 2026-11-30. */
  from: string
  to: string
}

const statuses: InstanceStatus[] = ['FAULTED', 'RUNNING', 'SUSPENDED', 'COMPLETED', 'CANCELED', 'TERMINATED']

interface FiltersProps {
  filter: Filter
  onChange: (part: Partial<Filter>) => void
}

/** Which instances are shown. */
export function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation('operate')
  const [{ data }] = useQuery({ query: namesQuery })
  const names = new Map((data?.definitions.nodes ?? []).map(({ name, title }) => [name, title]))
  return (
    <Group gap="sm" mb="sm">
      <Select
        clearable
        aria-label={t('status')}
        placeholder={t('status')}
        w={150}
        data={statuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        value={filter.status}
        onChange={(status) => onChange({ status: status as InstanceStatus | null })}
      />
      <Select
        clearable
        searchable
        aria-label={t('definition')}
        placeholder={t('definition')}
        w={210}
        data={[...names].map(([value, label]) => ({ value, label }))}
        value={filter.definitionName}
        onChange={(definitionName) => onChange({ definitionName })}
      />
      <Group gap={6} wrap="nowrap">
        <TextInput
          type="date"
          aria-label={t('startedFrom')}
          title={t('startedFrom')}
          max={filter.to || undefined}
          value={filter.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <span aria-hidden>–</span>
        <TextInput
          type="date"
          aria-label={t('startedTo')}
          title={t('startedTo')}
          min={filter.from || undefined}
          value={filter.to}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
      </Group>
    </Group>
  )
}

/** The filter as the API takes it; days are those of the person who looks. */
export function toInput({ keyword, status, definitionName, from, to }: Filter) {
  return {
    ...(keyword && { keyword }),
    ...(status && { statuses: [status] }),
    ...(definitionName && { definitionName }),
    ...(from && { createdFrom: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { createdTo: dayAfter(to).toISOString() }),
  }
}

function dayAfter(day: string): Date {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + 1)
  return date
}
