import { Button, Card, Select, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import type { DefinitionStatus, DefinitionsQuery } from '../generated/graphql'
import { ListHead } from '../inbox/ListHead'
import { usePages } from '../inbox/pages'
import { Rows } from '../inbox/Rows'
import { Time } from '../inbox/Time'
import { DefinitionStatusBadge } from './DefinitionStatusBadge'
import { definitionsQuery } from './documents'
import { NewDefinition } from './NewDefinition'

type Row = DefinitionsQuery['definitions']['nodes'][number]

const statuses: DefinitionStatus[] = ['DRAFT', 'PUBLISHED', 'DISABLED', 'ARCHIVED']

/** The processes, each with the newest of the versions that are looked for. */
export default function DefinitionsPage() {
  const { t } = useTranslation('definitions')
  const { client } = useApp().connection
  const [keyword, setKeyword] = useState('')
  const [status, setStatus] = useState<DefinitionStatus | null>(null)
  const [making, setMaking] = useState(false)
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const filter = { ...(keyword && { keyword }), ...(status && { status }) }
      const answer = await client.query(definitionsQuery, { filter, ...page }, { requestPolicy: 'network-only' })
      if (!answer.data) return answer.error as NonNullable<typeof answer.error>
      const { nodes, pageInfo } = answer.data.definitions
      return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor: null }
    },
    [client, keyword, status],
  )
  const pages = usePages<Row>(load)
  return (
    <>
      <ListHead title={t('title')} onSearch={setKeyword}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
          {t('create')}
        </Button>
        <Select
          clearable
          aria-label={t('status')}
          placeholder={t('status')}
          w={150}
          data={statuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          value={status}
          onChange={(value) => setStatus(value as DefinitionStatus | null)}
        />
      </ListHead>
      <Card withBorder padding={0}>
        <Rows
          pages={{ ...pages, rows: newestOf(pages.rows) }}
          label={t('title')}
          empty={t('nothing')}
          row={(definition) => (
            <>
              <Link to="/definitions/$name" params={{ name: definition.name }}>
                <Text fw={600} truncate>
                  {definition.title}
                </Text>
                <Text size="sm" className="muted" truncate>
                  {definition.name} · {t('version', { version: definition.version })}
                  {definition.description && ` · ${definition.description}`}
                </Text>
              </Link>
              <DefinitionStatusBadge status={definition.status} />
              <Time at={definition.publishedAt ?? definition.createdAt} />
            </>
          )}
        />
      </Card>
      {making && <NewDefinition onClose={() => setMaking(false)} />}
    </>
  )
}

/** The list has the versions of a name one after another, the newest first. */
function newestOf(rows: readonly Row[]): Row[] {
  return rows.filter(({ name }, index) => rows[index - 1]?.name !== name)
}
