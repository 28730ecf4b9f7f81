import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { sentenceOf } from '../api/refusal'
import { ListHead } from '../inbox/ListHead'
import { processesQuery } from './documents'

/** Which process to start. */
export default function ChoosePage() {
  const { t } = useTranslation('start')
  const [keyword, setKeyword] = useState('')
  const [{ data, error }] = useQuery({ query: processesQuery, variables: keyword ? { keyword } : {} })
  // The newest version of a name comes first.
  const newest = new Map((data?.definitions.nodes ?? []).toReversed().map((process) => [process.name, process]))
  return (
    <>
      <ListHead title={t('choose')} onSearch={setKeyword} />
      {error && <Text role="alert">{sentenceOf(error)}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {[...newest.values()].toReversed().map((process) => (
          <Link key={process.name} to="/start/$name" params={{ name: process.name }} className="plain">
            <Card withBorder h="100%">
              <Text fw={650}>{process.title}</Text>
              <Text size="sm" className="muted">
                {process.description ?? process.category}
              </Text>
            </Card>
          </Link>
        ))}
      </SimpleGrid>
      {data && newest.size === 0 && <Text className="muted">{t('none')}</Text>}
    </>
  )
}
