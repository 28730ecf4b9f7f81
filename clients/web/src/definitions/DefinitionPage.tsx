import { Anchor, Center, Group, Loader, Select, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { sentenceOf } from '../api/refusal'
import { DefinitionStatusBadge } from './DefinitionStatusBadge'
import { versionListQuery, versionQuery } from './documents'
import { VersionEditor } from './VersionEditor'

/** One process: its versions, each with its document, its problems and its picture. */
export default function DefinitionPage() {
  const { t } = useTranslation('definitions')
  const { name } = useParams({ from: '/definitions/$name' })
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<string | null>(null)
  const [list, readList] = useQuery({
    query: versionListQuery,
    variables: { name },
    requestPolicy: 'cache-and-network',
  })
  const versions = list.data?.definitions.nodes ?? []
  const id = versions.find((version) => version.id === chosen)?.id ?? versions[0]?.id ?? null
  const [one, readOne] = useQuery({
    query: versionQuery,
    variables: { id: id ?? '' },
    pause: id === null,
    requestPolicy: 'cache-and-network',
  })
  const changed = useCallback(
    (next?: string) => {
      if (next) setChosen(next)
      readList({ requestPolicy: 'network-only' })
      readOne({ requestPolicy: 'network-only' })
    },
    [readList, readOne],
  )
  const error = list.error ?? one.error
  if (error) return <Text role="alert">{sentenceOf(error)}</Text>
  const definition = one.data?.definition
  const shown = versions.find((version) => version.id === id)
  if (list.data && !shown)
    return (
      <Center h={300}>
        <Text role="status">{t('notFound')}</Text>
      </Center>
    )
  if (!shown || definition?.id !== id)
    return (
      <Center h={300}>
        <Loader aria-label={t('loading', { ns: 'common' })} />
      </Center>
    )
  return (
    <>
      <Anchor component={Link} to="/definitions" size="sm">
        ← {t('title')}
      </Anchor>
      <Group justify="space-between" mb="sm" mt={4} align="start">
        <div>
          <Title order={1} size="h3">
            {shown.title}
          </Title>
          <Text size="sm" className="muted">
            {name}
          </Text>
        </div>
        <Group gap="sm">
          <DefinitionStatusBadge status={shown.status} />
          <Select
            aria-label={t('versions')}
            w={190}
            allowDeselect={false}
            data={versions.map((version) => ({
              value: version.id,
              label: `${t('version', { version: version.version })} · ${t(`statuses.${version.status}`)}`,
            }))}
            value={shown.id}
            onChange={setChosen}
          />
        </Group>
      </Group>
      <VersionEditor
        key={`${shown.id} ${shown.status}`}
        name={name}
        version={{ ...shown, document: definition.document }}
        others={versions.filter((version) => version.id !== shown.id)}
        onChanged={changed}
        onGone={() => (versions.length > 1 ? changed() : void navigate({ to: '/definitions' }))}
      />
    </>
  )
}
