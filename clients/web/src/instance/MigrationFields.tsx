import { Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { versionsQuery } from './documents'
import type { Given } from './operations'
import type { Instance } from './types'

interface MigrationFieldsProps {
  instance: Instance
  given: Given
  onChange: (part: Partial<Given>) => void
}

interface DocumentNode {
  id: string
  displayName?: string | null
}

/** Picks the version to move to, and where the open nodes go that it has under another id. */
export function MigrationFields({ instance, given, onChange }: MigrationFieldsProps) {
  const { t } = useTranslation('instance')
  const [{ data, fetching }] = useQuery({
    query: versionsQuery,
    variables: { name: instance.definitionName },
    requestPolicy: 'network-only',
  })
  const versions = (data?.definitions.nodes ?? []).filter(({ version }) => version !== instance.definitionVersion)
  const target = versions.find(({ version }) => version === given.version)
  const targetNodes = target ? nodesOf(target.document) : []
  const open = new Set(instance.trail.nodes.filter(({ endedAt }) => !endedAt).map(({ nodeId }) => nodeId))
  const lost = target ? [...open].filter((id) => !targetNodes.some((node) => node.id === id)) : []
  if (!fetching && versions.length === 0) return <Text className="muted">{t('noOtherVersion')}</Text>
  return (
    <Stack>
      <Select
        required
        label={t('toVersion')}
        data={versions.map(({ version }) => ({ value: String(version), label: t('version', { version }) }))}
        value={given.version === null ? null : String(given.version)}
        onChange={(version) => onChange({ version: version === null ? null : Number(version), nodeMapping: {} })}
      />
      {lost.map((id) => (
        <Select
          key={id}
          label={t('nodeBecomes', { node: id })}
          data={targetNodes.map((node) => ({ value: node.id, label: node.displayName || node.id }))}
          value={given.nodeMapping[id] ?? null}
          onChange={(to) => {
            const { [id]: _, ...others } = given.nodeMapping
            onChange({ nodeMapping: to === null ? others : { ...others, [id]: to } })
          }}
        />
      ))}
    </Stack>
  )
}

function nodesOf(document: unknown): DocumentNode[] {
  return (document as { nodes?: DocumentNode[] }).nodes ?? []
}
