import { Group, Modal, Select, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { contentOf } from './content'
import { versionQuery } from './documents'
import type { OtherVersion, Version } from './VersionEditor'

const CompareView = lazy(() => import('./CompareView'))

interface CompareDialogProps {
  version: Version
  text: string
  others: readonly OtherVersion[]
  onClose: () => void
}

/** Another version on the left, this one on the right. */
export function CompareDialog({ version, text, others, onClose }: CompareDialogProps) {
  const { t } = useTranslation('definitions')
  const [id, setId] = useState(others[0]?.id ?? '')
  const [{ data }] = useQuery({ query: versionQuery, variables: { id } })
  const other = data?.definition
  const sides = useMemo(
    () =>
      other && {
        before: { label: t('version', { version: other.version }), text: contentOf(other.document) },
        after: { label: t('version', { version: version.version }), text: contentOf(text) },
      },
    [other, version.version, text, t],
  )
  return (
    <Modal opened onClose={onClose} title={t('compare')} size="min(1200px, 96vw)">
      <Stack>
        <Group grow align="end">
          <Select
            label={t('with')}
            allowDeselect={false}
            data={others.map((each) => ({ value: each.id, label: t('version', { version: each.version }) }))}
            value={id}
            onChange={(next) => next && setId(next)}
          />
          <Text fw={600} pb={6}>
            {t('version', { version: version.version })}
          </Text>
        </Group>
        {sides && (
          <Suspense fallback={<Text>{t('loading', { ns: 'common' })}</Text>}>
            <CompareView {...sides} />
          </Suspense>
        )}
      </Stack>
    </Modal>
  )
}
