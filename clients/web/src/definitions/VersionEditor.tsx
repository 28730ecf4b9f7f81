import { Card, Grid, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DefinitionStatus } from '../generated/graphql'
import { ProblemList } from './ProblemList'
import { useProblems } from './useProblems'
import { VersionActions } from './VersionActions'

const ProcessGraph = lazy(() => import('../graph/ProcessGraph'))
const JsonEditor = lazy(() => import('./JsonEditor'))

export interface Version {
  id: string
  version: number
  status: DefinitionStatus
  document: unknown
}

export interface OtherVersion {
  id: string
  version: number
}

interface VersionEditorProps {
  name: string
  version: Version
  others: readonly OtherVersion[]
  onChanged: (next?: string) => void
  onGone: () => void
}

/** The document of a version beside its picture; a draft can be written. */
export function VersionEditor({ name, version, others, onChanged, onGone }: VersionEditorProps) {
  const { t } = useTranslation('definitions')
  const [saved, setSaved] = useState(() => JSON.stringify(version.document, null, 2))
  const [text, setText] = useState(saved)
  const [goTo, setGoTo] = useState<{ path: string } | null>(null)
  const { document, readable, problems } = useProblems(text)
  const draft = version.status === 'DRAFT'
  const showNode = (nodeId: string) => {
    const { nodes = [] } = document as { nodes?: { id?: unknown }[] }
    const index = nodes.findIndex(({ id }) => id === nodeId)
    if (index >= 0) setGoTo({ path: `$.nodes[${index}].id` })
  }
  return (
    <>
      <VersionActions
        name={name}
        version={version}
        others={others}
        text={text}
        dirty={text !== saved}
        readable={readable}
        onSaved={() => setSaved(text)}
        onChanged={onChanged}
        onGone={onGone}
      />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Card withBorder padding={0}>
            <Suspense fallback={<Text p="md">{t('loading', { ns: 'common' })}</Text>}>
              <JsonEditor
                label={t('document')}
                value={text}
                onChange={setText}
                problems={problems}
                readOnly={!draft}
                height="calc(100dvh - 330px)"
                goTo={goTo}
              />
            </Suspense>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Suspense fallback={null}>
            <ProcessGraph document={document} trail={null} onSelect={showNode} height="calc(100dvh - 480px)" />
          </Suspense>
          <ProblemList problems={problems} readable={readable} onGoTo={setGoTo} />
        </Grid.Col>
      </Grid>
    </>
  )
}
