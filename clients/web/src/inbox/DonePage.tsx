import { Badge, Button, Card, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import type { DoneQuery } from '../generated/graphql'
import { takeBack } from '../task/documents'
import { doneQuery } from './documents'
import { ListHead } from './ListHead'
import { usePages } from './pages'
import { Rows } from './Rows'
import { Time } from './Time'

type Row = DoneQuery['taskRecords']['nodes'][number]

/** What the viewer did. */
export default function DonePage() {
  const { t } = useTranslation('inbox')
  const { client } = useApp().connection
  const [keyword, setKeyword] = useState('')
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const variables = { filter: keyword ? { keyword } : {}, ...page }
      const { data, error } = await client.query(doneQuery, variables, { requestPolicy: 'network-only' })
      if (!data) return error as NonNullable<typeof error>
      const { nodes, pageInfo } = data.taskRecords
      return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor: null }
    },
    [client, keyword],
  )
  const pages = usePages<Row>(load)
  const undo = async (taskId: string) => {
    const { error } = await client.mutation(takeBack, { input: { taskId } })
    if (error) return showRefusal(error)
    showDone(t('takenBack'))
    pages.reload()
  }
  return (
    <>
      <ListHead title={t('done')} onSearch={setKeyword} />
      <Card withBorder padding={0}>
        <Rows
          pages={pages}
          label={t('done')}
          empty={t('nothingDone')}
          row={(record) => (
            <>
              <Link to="/instances/$id" params={{ id: record.instance.id }}>
                <Text fw={600} truncate>
                  {record.instance.title} · {record.nodeTitle}
                </Text>
                <Text size="sm" className="muted" truncate>
                  {[record.instance.statusName, record.comment].filter(Boolean).join(' · ')}
                </Text>
              </Link>
              {record.action === 'COMPLETED' && record.instance.status === 'RUNNING' && (
                <Button size="compact-xs" variant="default" onClick={() => record.taskId && undo(record.taskId)}>
                  {t('takeBack')}
                </Button>
              )}
              <Badge variant="default">{t(`actions.${record.action}`, { ns: 'task' })}</Badge>
              <Time at={record.at} />
            </>
          )}
        />
      </Card>
    </>
  )
}
