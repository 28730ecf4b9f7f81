import { Badge, Card, Checkbox, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import type { StartedQuery } from '../generated/graphql'
import { startedQuery } from './documents'
import { ListHead } from './ListHead'
import { useTaskEvents } from './live'
import { usePages } from './pages'
import { Rows } from './Rows'
import { Time } from './Time'

type Row = StartedQuery['instances']['nodes'][number]

/** What the viewer started, and with whom it is. */
export default function StartedPage() {
  const { t } = useTranslation('inbox')
  const { connection, viewer } = useApp()
  const { client } = connection
  const [keyword, setKeyword] = useState('')
  const [runningOnly, setRunningOnly] = useState(false)
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const filter = {
        starterId: viewer.id,
        ...(keyword && { keyword }),
        ...(runningOnly && { statuses: ['RUNNING' as const] }),
      }
      const variables = { filter, sorts: [{ field: 'CREATED_AT' as const, direction: 'DESC' as const }], ...page }
      const { data, error } = await client.query(startedQuery, variables, { requestPolicy: 'network-only' })
      if (!data) return error as NonNullable<typeof error>
      const { nodes, pageInfo, eventCursor } = data.instances
      return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor }
    },
    [client, keyword, runningOnly, viewer.id],
  )
  const pages = usePages<Row>(load)
  useTaskEvents(pages.eventCursor, pages.reload)
  return (
    <>
      <ListHead title={t('started')} onSearch={setKeyword}>
        <Checkbox label={t('runningOnly')} checked={runningOnly} onChange={() => setRunningOnly(!runningOnly)} />
      </ListHead>
      <Card withBorder padding={0}>
        <Rows
          pages={pages}
          label={t('started')}
          empty={t('nothingStarted')}
          row={(instance) => (
            <>
              <Link to="/instances/$id" params={{ id: instance.id }}>
                <Text fw={600} truncate>
                  {instance.title}
                </Text>
                <Text size="sm" className="muted" truncate>
                  {instance.tasks.length > 0 &&
                    t('with', {
                      people: instance.tasks.map((task) => task.assignee?.name ?? task.candidateGroup).join(', '),
                    })}
                </Text>
              </Link>
              <Badge variant={instance.status === 'RUNNING' ? 'filled' : 'default'}>{instance.statusName}</Badge>
              <Time at={instance.createdAt} />
            </>
          )}
        />
      </Card>
    </>
  )
}
