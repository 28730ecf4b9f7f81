import { Button, Card, Checkbox, Group, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CombinedError } from '@urql/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import type { InstanceStatus, InstancesQuery } from '../generated/graphql'
import { ListHead } from '../inbox/ListHead'
import { usePages } from '../inbox/pages'
import { Rows } from '../inbox/Rows'
import { Time } from '../inbox/Time'
import { useInstanceEvents } from '../instance/live'
import { StatusBadge } from '../instance/StatusBadge'
import { BulkDialog } from './BulkDialog'
import type { BulkOperation } from './bulk'
import { instancesQuery } from './documents'
import { type Filter, Filters, toInput } from './Filters'
import { faultedFirst, type Part } from './faultedFirst'
import { HandOverDialog } from './HandOverDialog'

type Row = InstancesQuery['instances']['nodes'][number]

const bulk: BulkOperation[] = ['retry', 'resume', 'suspend', 'migrate', 'cancel']
const others: InstanceStatus[] = ['RUNNING', 'SUSPENDED', 'COMPLETED', 'CANCELED', 'TERMINATED']
const newestFirst = [{ field: 'CREATED_AT' as const, direction: 'DESC' as const }]

/** All instances of the partition, those that failed first; several can be operated on at once. */
export default function OperatePage() {
  const { t } = useTranslation('operate')
  const [filter, setFilter] = useState<Filter>({ keyword: '', status: null, definitionName: null, from: '', to: '' })
  const change = useCallback((part: Partial<Filter>) => setFilter((before) => ({ ...before, ...part })), [])
  const pages = useInstances(filter)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const [asking, setAsking] = useState<BulkOperation | null>(null)
  const [handingOver, setHandingOver] = useState(false)
  useInstanceEvents(null, pages.eventCursor, pages.reload)
  const toggle = (row: Row) => {
    const next = new Map(chosen)
    if (!next.delete(row.id)) next.set(row.id, row)
    setChosen(next)
  }
  const closeBulk = () => {
    setAsking(null)
    setChosen(new Map())
    pages.reload()
  }
  return (
    <>
      <ListHead title={t('title')} onSearch={(keyword) => change({ keyword })}>
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
          onClick={() => setHandingOver(true)}
        >
          {t('handOver')}
        </Button>
      </ListHead>
      <Filters filter={filter} onChange={change} />
      <Card withBorder padding="xs" px="md" mb="xs" mih={52}>
        <Group gap="xs">
          <Checkbox
            label={chosen.size > 0 ? t('selected', { count: chosen.size }) : t('selectAll')}
            checked={chosen.size > 0 && pages.rows.every(({ id }) => chosen.has(id))}
            indeterminate={chosen.size > 0 && !pages.rows.every(({ id }) => chosen.has(id))}
            onChange={(event) =>
              setChosen(event.currentTarget.checked ? new Map(pages.rows.map((row) => [row.id, row])) : new Map())
            }
          />
          {chosen.size > 0 &&
            bulk.map((operation) => (
              <Button key={operation} size="xs" variant="default" onClick={() => setAsking(operation)}>
                {t(`operations.${operation}`)}
              </Button>
            ))}
        </Group>
      </Card>
      <Card withBorder padding={0}>
        <Rows
          pages={pages}
          label={t('title')}
          empty={t('nothing')}
          row={(instance) => <InstanceRow row={instance} chosen={chosen.has(instance.id)} onToggle={toggle} />}
        />
      </Card>
      {asking && <BulkDialog operation={asking} instances={[...chosen.values()]} onClose={closeBulk} />}
      {handingOver && <HandOverDialog onClose={() => setHandingOver(false)} />}
    </>
  )
}

function InstanceRow({ row, chosen, onToggle }: { row: Row; chosen: boolean; onToggle: (row: Row) => void }) {
  const { t } = useTranslation('operate')
  return (
    <>
      <Checkbox aria-label={t('select', { title: row.title })} checked={chosen} onChange={() => onToggle(row)} />
      <Link to="/instances/$id" params={{ id: row.id }}>
        <Text fw={600} truncate>
          {row.title}
        </Text>
        <Text size="sm" className="muted" truncate>
          {row.fault?.message ??
            [
              `${row.definitionName} · ${t('version', { version: row.definitionVersion })}`,
              row.starter?.name,
              row.correlationId,
            ]
              .filter(Boolean)
              .join(' · ')}
        </Text>
      </Link>
      <StatusBadge status={row.status} name={row.statusName} />
      <Text component="span" visibleFrom="xs">
        <Time at={row.createdAt} />
      </Text>
    </>
  )
}

function useInstances(filter: Filter) {
  const { client } = useApp().connection
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const given = toInput(filter)
      const read = async (
        statuses: InstanceStatus[],
        first: number,
        after: string | null,
      ): Promise<Part<Row> | { failure: CombinedError }> => {
        const variables = { filter: { ...given, statuses }, sorts: newestFirst, first, after }
        const answer = await client.query(instancesQuery, variables, { requestPolicy: 'network-only' })
        if (!answer.data) return { failure: answer.error as NonNullable<typeof answer.error> }
        const { nodes, pageInfo, eventCursor } = answer.data.instances
        return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor }
      }
      const part = given.statuses
        ? await read(given.statuses, page.first, page.after)
        : await faultedFirst((group, ...rest) => read(group === 'faulted' ? ['FAULTED'] : others, ...rest), page)
      return 'rows' in part ? part : part.failure
    },
    [client, filter],
  )
  return usePages<Row>(load)
}
