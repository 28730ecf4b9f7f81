import { Button, Card, Checkbox, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showRefusal } from '../api/refusal'
import type { CopiesQuery } from '../generated/graphql'
import { copiesQuery, markRead } from './documents'
import { ListHead } from './ListHead'
import { usePages } from './pages'
import { Rows } from './Rows'
import { Time } from './Time'

type Row = CopiesQuery['copies']['nodes'][number]

/** What was copied to the viewer. */
export default function CopiesPage() {
  const { t } = useTranslation('inbox')
  const { client } = useApp().connection
  const [unreadOnly, setUnreadOnly] = useState(false)
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const { data, error } = await client.query(
        copiesQuery,
        { unreadOnly, ...page },
        { requestPolicy: 'network-only' },
      )
      if (!data) return error as NonNullable<typeof error>
      const { nodes, pageInfo } = data.copies
      return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor: null }
    },
    [client, unreadOnly],
  )
  const pages = usePages<Row>(load)
  const read = async (ids: string[] | null) => {
    const { error } = await client.mutation(markRead, { ids })
    if (error) showRefusal(error)
    pages.reload()
  }
  return (
    <>
      <ListHead title={t('copies')}>
        <Checkbox label={t('unreadOnly')} checked={unreadOnly} onChange={() => setUnreadOnly(!unreadOnly)} />
        <Button variant="default" size="xs" onClick={() => read(null)}>
          {t('allRead')}
        </Button>
      </ListHead>
      <Card withBorder padding={0}>
        <Rows
          pages={pages}
          label={t('copies')}
          empty={t('nothingCopied')}
          row={(copy) => (
            <>
              <Link
                to="/instances/$id"
                params={{ id: copy.instance.id }}
                onClick={() => copy.readAt ?? read([copy.id])}
              >
                <Text fw={copy.readAt ? 400 : 700} truncate>
                  {copy.taskTitle}
                </Text>
                <Text size="sm" className="muted" truncate>
                  {[copy.instance.title, copy.instance.starter?.name, copy.instance.statusName]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Link>
              <Time at={copy.createdAt} />
            </>
          )}
        />
      </Card>
    </>
  )
}
