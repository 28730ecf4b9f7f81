import { Alert, Anchor, Center, Grid, Group, Loader, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { useApp } from '../api/context'
import { sentenceOf } from '../api/refusal'
import { instanceQuery } from './documents'
import { InstanceTabs } from './InstanceTabs'
import { useInstanceEvents } from './live'
import { Moment } from './Moment'
import { NodePanel } from './NodePanel'
import { Operations } from './Operations'
import { StatusBadge } from './StatusBadge'
import type { Instance } from './types'

const ProcessGraph = lazy(() => import('../graph/ProcessGraph'))

/** One instance: where it stands, live, what became of each step, and what operators can do with it. */
export default function InstancePage() {
  const { t } = useTranslation('instance')
  const { id } = useParams({ from: '/instances/$id' })
  const [{ data, error }, read] = useQuery({
    query: instanceQuery,
    variables: { id },
    requestPolicy: 'cache-and-network',
  })
  const reload = useCallback(() => read({ requestPolicy: 'network-only' }), [read])
  const instance = data?.instance ?? null
  useInstanceEvents(id, instance ? (data?.viewer.eventCursor ?? null) : null, reload)
  if (error && !data) return <Text role="alert">{sentenceOf(error)}</Text>
  if (!data)
    return (
      <Center h={300}>
        <Loader aria-label={t('loading', { ns: 'common' })} />
      </Center>
    )
  if (!instance)
    return (
      <Center h={300}>
        <Text role="status">{t('notFound')}</Text>
      </Center>
    )
  return <Shown key={instance.id} instance={instance} onReload={reload} />
}

function Shown({ instance, onReload }: { instance: Instance; onReload: () => void }) {
  const { t } = useTranslation('instance')
  const { viewer } = useApp()
  const [nodeId, setNodeId] = useState<string | null>(instance.faultNodeId ?? null)
  useEffect(() => {
    document.title = `${instance.title} · Countersign`
    return () => {
      document.title = 'Countersign'
    }
  }, [instance.title])
  const trail = instance.trail.nodes
  const node = nodeId === null ? null : nodeOf(instance.definition.document, nodeId)
  return (
    <>
      <Head instance={instance} />
      {viewer.permissions.includes('operate') && <Operations instance={instance} onDone={onReload} />}
      {instance.fault && (
        <Alert
          color="red"
          mb="md"
          icon={<IconAlertTriangle aria-hidden />}
          title={<Text c="var(--mantine-color-text)">{t('failed', { code: instance.fault.code })}</Text>}
        >
          {instance.fault.message}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, lg: node ? 8 : 12 }}>
          <Suspense fallback={<Center h={380} />}>
            <ProcessGraph
              document={instance.definition.document}
              trail={trail}
              selected={nodeId}
              onSelect={setNodeId}
              height={380}
            />
          </Suspense>
        </Grid.Col>
        {node && (
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <NodePanel
              title={node.displayName || node.id}
              kind={node.activityType}
              runs={trail.filter((run) => run.nodeId === node.id)}
            />
          </Grid.Col>
        )}
      </Grid>
      <InstanceTabs instance={instance} onNode={setNodeId} onDone={onReload} />
    </>
  )
}

function Head({ instance }: { instance: Instance }) {
  const { t } = useTranslation('instance')
  return (
    <header>
      {instance.parent && (
        <Anchor component={Link} to={`/instances/${instance.parent.id}`} size="sm">
          ← {instance.parent.title}
        </Anchor>
      )}
      <Group justify="space-between" align="start" mb={4}>
        <Title order={1} size="h2">
          {instance.title}
        </Title>
        <StatusBadge status={instance.status} name={instance.statusName} />
      </Group>
      <Group gap="xs" mb="md" className="muted" fz="sm">
        <span>
          {instance.definitionName} · {t('version', { version: instance.definitionVersion })}
        </span>
        {instance.starter && <span>· {t('startedBy', { name: instance.starter.name })}</span>}
        <span>·</span>
        <Moment at={instance.createdAt} />
        {instance.endedAt && (
          <>
            <span aria-hidden>→</span>
            <Moment at={instance.endedAt} />
          </>
        )}
        {instance.outcome && (
          <span>· {t(`outcomes.${instance.outcome}`, { ns: 'instance', defaultValue: instance.outcome })}</span>
        )}
        {instance.correlationId && <span>· {t('businessKey', { key: instance.correlationId })}</span>}
      </Group>
    </header>
  )
}

interface DocumentNode {
  id: string
  displayName?: string | null
  activityType: string
}

function nodeOf(document: unknown, id: string): DocumentNode | null {
  const { nodes = [] } = document as { nodes?: DocumentNode[] }
  return nodes.find((node) => node.id === id) ?? null
}
