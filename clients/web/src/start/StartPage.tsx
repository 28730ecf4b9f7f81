import { Anchor, Button, Card, Center, Grid, Group, Loader, Stack, Text, Timeline, Title } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from 'urql'
import { useApp } from '../api/context'
import { sentenceOf, showDone, showRefusal } from '../api/refusal'
import type { FormHandle } from '../forms/SchemaForm'
import type { PreviewStartQuery, ProcessQuery } from '../generated/graphql'
import { previewQuery, processQuery, startMutation } from './documents'

type Process = NonNullable<ProcessQuery['publishedDefinition']>
type Preview = PreviewStartQuery['previewInstance']
type Values = Record<string, unknown>

const SchemaForm = lazy(() => import('../forms/SchemaForm'))
const nobody: Values = {}

/** Fills in a request, shows who will be asked, and sends it. */
export default function StartPage() {
  const { t } = useTranslation('start')
  const { name } = useParams({ from: '/start/$name' })
  const [{ data, error }] = useQuery({ query: processQuery, variables: { name } })
  if (error) return <Text role="alert">{sentenceOf(error)}</Text>
  if (!data)
    return (
      <Center h={300}>
        <Loader aria-label={t('loading', { ns: 'common' })} />
      </Center>
    )
  const process = data.publishedDefinition
  return process ? (
    <Suspense fallback={<Loader aria-label={t('loading', { ns: 'common' })} />}>
      <Request key={process.name} process={process} />
    </Suspense>
  ) : (
    <Text role="alert">{t('gone')}</Text>
  )
}

function Request({ process }: { process: Process }) {
  const { t } = useTranslation('start')
  const { client } = useApp().connection
  const navigate = useNavigate()
  const form = useRef<FormHandle>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [busy, setBusy] = useState(false)
  const schema = useMemo(() => startForm(process), [process])
  const look = async () => {
    const variables = form.current?.read(true)
    if (!variables) return
    const input = { name: process.name, variables }
    const { data, error } = await client.query(previewQuery, { input }, { requestPolicy: 'network-only' })
    if (error) return showRefusal(error)
    setPreview(data?.previewInstance ?? null)
  }
  const send = async () => {
    const variables = form.current?.read(true)
    if (!variables || busy) return
    setBusy(true)
    const { error } = await client.mutation(startMutation, { input: { name: process.name, variables } })
    setBusy(false)
    if (error) return showRefusal(error)
    showDone(t('sent', { title: process.title }))
    void navigate({ to: '/started' })
  }
  return (
    <>
      <Anchor component={Link} to="/start" size="sm">
        ← {t('choose')}
      </Anchor>
      <Title order={1} size="h2" mt="xs">
        {process.title}
      </Title>
      <Text className="muted" mb="lg">
        {process.description}
      </Text>
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card withBorder>
            <SchemaForm handle={form} schema={schema} values={nobody} />
            <Group mt="lg">
              <Button onClick={send} loading={busy}>
                {t('send')}
              </Button>
              <Button variant="default" onClick={look}>
                {t('preview')}
              </Button>
            </Group>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>{preview && <PreviewCard preview={preview} />}</Grid.Col>
      </Grid>
    </>
  )
}

function PreviewCard({ preview }: { preview: Preview }) {
  const { t } = useTranslation('start')
  const asked = preview.steps.filter(({ people, groups }) => people.length + groups.length > 0)
  return (
    <Card withBorder aria-live="polite">
      <Title order={2} size="h5" mb="md">
        {t('whoIsAsked')}
      </Title>
      {preview.fault && <Text role="alert">{preview.fault.message}</Text>}
      <Timeline bulletSize={20}>
        {asked.map(({ nodeId, title, people, groups }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a loop passes the same node again
          <Timeline.Item key={`${nodeId} ${index}`} title={title}>
            <Text size="sm" className="muted">
              {[...people.map(({ name }) => name), ...groups].join(', ')}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {asked.length === 0 && !preview.fault && <Stack className="muted">{t('nobody')}</Stack>}
    </Card>
  )
}

/** The form of the start; where it has none, one field for each variable of the definition. */
function startForm({ nodes, variables }: Process): Values {
  const start = nodes.find(({ activityType }) => activityType === 'Start')
  const form = (start?.properties as Values | undefined)?.Form
  if (form) return form as Values
  const fields = variables.map(({ name, description, defaultValue }) => [
    name,
    {
      type: typeOf(defaultValue, name),
      title: name,
      ...(description && { description }),
      ...(defaultValue !== null && { default: defaultValue }),
    },
  ])
  const required = variables.filter((variable) => variable.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(fields), required }
}

/** Without a form only a default tells the type of a variable; numbers are told by the names that amounts go by. */
function typeOf(defaultValue: unknown, name: string): string {
  if (typeof defaultValue === 'number' || /^(days|hours|count|quantity|amount|price|total)$/i.test(name))
    return 'number'
  return typeof defaultValue === 'boolean' ? 'boolean' : 'string'
}
