import { Alert, Badge, Card, Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Moment } from './Moment'
import type { Run } from './types'

interface NodePanelProps {
  title: string
  kind: string
  runs: readonly Run[]
}

/** What became of one node: each of its runs, the latest first. */
export function NodePanel({ title, kind, runs }: NodePanelProps) {
  const { t } = useTranslation('instance')
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Badge variant="default">{t(`activities.${kind}`, { ns: 'graph', defaultValue: kind })}</Badge>
      </Group>
      {runs.length === 0 && <Text className="muted">{t('neverRan')}</Text>}
      <Stack gap="lg">
        {runs.toReversed().map((run) => (
          <OneRun key={run.id} run={run} />
        ))}
      </Stack>
    </Card>
  )
}

function OneRun({ run }: { run: Run }) {
  const { t } = useTranslation('instance')
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge variant="default" data-run={run.status}>
          {t(`nodeStatuses.${run.status}`)}
        </Badge>
        <Moment at={run.startedAt} />
        {run.endedAt && (
          <>
            <span aria-hidden>→</span>
            <Moment at={run.endedAt} />
          </>
        )}
        {run.attempt > 1 && <Text size="sm">{t('attempt', { count: run.attempt })}</Text>}
      </Group>
      {run.fault && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={<Text c="var(--mantine-color-text)">{run.fault.code}</Text>}
        >
          {run.fault.message}
        </Alert>
      )}
      <Values label={t('input')} value={run.input} />
      <Values label={t('output')} value={run.output} />
      {run.routing && run.routing.length > 0 && <Routing routing={run.routing} />}
    </Stack>
  )
}

function Values({ label, value }: { label: string; value: unknown }) {
  const empty = value === null || value === undefined || JSON.stringify(value) === '{}'
  if (empty) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Code block tabIndex={0} mah={220} style={{ overflow: 'auto' }}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </div>
  )
}

function Routing({ routing }: { routing: NonNullable<Run['routing']> }) {
  const { t } = useTranslation('instance')
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('way')}</Table.Th>
            <Table.Th>{t('condition')}</Table.Th>
            <Table.Th>{t('gave')}</Table.Th>
            <Table.Th>{t('taken')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {routing.map(({ transitionId, condition, value, taken }) => (
            <Table.Tr key={transitionId}>
              <Table.Td>{transitionId}</Table.Td>
              <Table.Td>{condition && <Code>{condition}</Code>}</Table.Td>
              <Table.Td>{value === null || value === undefined ? '–' : t(value ? 'yes' : 'no')}</Table.Td>
              <Table.Td fw={taken ? 600 : 400}>{t(taken ? 'yes' : 'no')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
