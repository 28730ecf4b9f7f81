import { Badge, Button, Card, Checkbox, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import type { StartedQuery } from '../generated/graphql'
import { urge, withdraw } from '../task/documents'
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
  const callBack = async (instance: Row) => {
    const { error } = await client.mutation(withdraw, { input: { id: instance.id } })
    if (error) return showRefusal(error)
    showDone(t('withdrawn', { title: instance.title }))
    pages.reload()
  }
  const urgeAll = async (instance: Row) => {
    for (const task of instance.tasks) {
      const { error } = await client.mutation(urge, { input: { taskId: task.id } })
      if (error) return showRefusal(error)
    }
    showDone(t('urged'))
  }
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
              {instance.tasks.length > 0 && (
                <>
                  <Button size="compact-xs" variant="default" onClick={() => urgeAll(instance)}>
                    {t('urge')}
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => callBack(instance)}>
                    {t('withdraw')}
                  </Button>
                </>
              )}
              <Badge variant={instance.status === 'RUNNING' ? 'filled' : 'default'}>{instance.statusName}</Badge>
              <Time at={instance.createdAt} />
            </>
          )}
        />
      </Card>
    </>
  )
}
