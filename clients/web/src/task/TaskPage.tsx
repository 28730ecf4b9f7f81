import { Anchor, Badge, Card, Center, Grid, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { sentenceOf } from '../api/refusal'
import type { OneTaskQuery } from '../generated/graphql'
import { useTaskEvents } from '../inbox/live'
import { Time } from '../inbox/Time'
import { AnswerPanel } from './AnswerPanel'
import { taskQuery } from './documents'
import { History } from './History'

const ProcessGraph = lazy(() => import('../graph/ProcessGraph'))

type Task = NonNullable<OneTaskQuery['task']>

/** One task: what is asked, the form, the history, and everything that can be done with it. */
export default function TaskPage() {
  const { t } = useTranslation('task')
  const { id } = useParams({ from: '/tasks/$id' })
  const navigate = useNavigate()
  const [{ data, error, fetching }, read] = useQuery({
    query: taskQuery,
    variables: { id },
    requestPolicy: 'cache-and-network',
  })
  const reload = useCallback(() => read({ requestPolicy: 'network-only' }), [read])
  useTaskEvents(data?.viewer.eventCursor ?? null, reload)
  const leave = useCallback(() => void navigate({ to: '/todo' }), [navigate])
  if (error) return <Text role="alert">{sentenceOf(error)}</Text>
  if (!data)
    return (
      <Center h={300}>
        <Loader aria-label={t('loading', { ns: 'common' })} />
      </Center>
    )
  if (!data.task) return fetching ? null : <Closed />
  return <Open key={data.task.id} task={data.task} onReload={reload} onLeave={leave} />
}

function Closed() {
  const { t } = useTranslation('task')
  return (
    <Center h={300}>
      <Stack align="center">
        <Text role="status">{t('closed')}</Text>
        <Anchor component={Link} to="/todo">
          {t('toList')}
        </Anchor>
      </Stack>
    </Center>
  )
}

function Open({ task, onReload, onLeave }: { task: Task; onReload: () => void; onLeave: () => void }) {
  const { t } = useTranslation('task')
  const { instance } = task
  useEffect(() => {
    document.title = `${task.title} · Countersign`
    return () => {
      document.title = 'Countersign'
    }
  }, [task.title])
  return (
    <>
      <Anchor component={Link} to="/todo" size="sm">
        ← {t('toList')}
      </Anchor>
      <Group justify="space-between" mt="xs" mb="lg" align="start">
        <div>
          <Title order={1} size="h2">
            {task.title}
          </Title>
          <Text className="muted">
            <Link to="/instances/$id" params={{ id: instance.id }} className="inherit">
              {instance.title}
            </Link>
            {instance.starter && ` · ${t('startedBy', { name: instance.starter.name })}`} · {task.node.title}
          </Text>
        </div>
        <Group gap="xs">
          {task.overdue && <Badge color="red.9">{t('overdue', { ns: 'inbox' })}</Badge>}
          {task.candidateGroup && <Badge variant="default">{task.candidateGroup}</Badge>}
          {task.dueAt && (
            <Text size="sm" className="muted">
              {t('due')} <Time at={task.dueAt} />
            </Text>
          )}
        </Group>
      </Group>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Suspense fallback={<Loader aria-label={t('loading', { ns: 'common' })} />}>
            <AnswerPanel task={task} onReload={onReload} onLeave={onLeave} />
          </Suspense>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card withBorder>
            <Title order={2} size="h5" mb="md">
              {t('history')}
            </Title>
            <History records={instance.history.nodes} />
          </Card>
          <Suspense fallback={null}>
            <ProcessGraph document={instance.definition.document} trail={instance.trail.nodes} />
          </Suspense>
        </Grid.Col>
      </Grid>
    </>
  )
}
