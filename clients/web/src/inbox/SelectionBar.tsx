import { Button, Card, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { CombinedError } from '@urql/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { PersonSelect } from '../task/PersonSelect'
import { completeMany, transferMany } from './documents'

interface Chosen {
  id: string
  title: string
}

interface SelectionBarProps {
  tasks: Chosen[]
  all: number
  onAll: (all: boolean) => void
  onDone: () => void
}

type Results = readonly { id: string; error?: { message: string } | null }[]

/** What can be done with several tasks at once; each has its own result. */
export function SelectionBar({ tasks, all, onAll, onDone }: SelectionBarProps) {
  const { t } = useTranslation('inbox')
  const { client } = useApp().connection
  const [busy, setBusy] = useState(false)
  const [giving, setGiving] = useState(false)
  const [to, setTo] = useState<string | null>(null)
  const report = (results: Results | undefined, error: CombinedError | undefined) => {
    setBusy(false)
    setGiving(false)
    if (error) return showRefusal(error)
    const refused = (results ?? []).filter((result) => result.error)
    showDone(t('results', { done: (results?.length ?? 0) - refused.length, all: results?.length ?? 0 }))
    for (const { id, error: reason } of refused)
      notifications.show({
        color: 'red',
        title: tasks.find((task) => task.id === id)?.title ?? id,
        message: reason?.message ?? '',
        autoClose: 10_000,
      })
    onDone()
  }
  const complete = async (outcome: string) => {
    setBusy(true)
    const { data, error } = await client.mutation(completeMany, {
      inputs: tasks.map(({ id }) => ({ taskId: id, outcome })),
    })
    report(data?.completeTasks, error)
  }
  const transfer = async (toUserId: string) => {
    setBusy(true)
    const { data, error } = await client.mutation(transferMany, {
      inputs: tasks.map(({ id }) => ({ taskId: id, toUserId })),
    })
    report(data?.transferTasks, error)
  }
  const some = tasks.length > 0
  return (
    <Card withBorder padding="xs" px="md" mb="xs" mih={52}>
      <Group gap="sm">
        <Checkbox
          label={some ? t('selected', { count: tasks.length }) : t('selectAll')}
          checked={some && tasks.length === Math.min(all, 100)}
          indeterminate={some && tasks.length < Math.min(all, 100)}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        {some && (
          <>
            <Button size="xs" loading={busy} onClick={() => complete('approved')}>
              {t('approve')}
            </Button>
            <Button size="xs" variant="default" disabled={busy} onClick={() => setGiving(true)}>
              {t('transfer')}
            </Button>
          </>
        )}
      </Group>
      <Modal opened={giving} onClose={() => setGiving(false)} title={t('transferMany', { count: tasks.length })}>
        <Stack>
          <PersonSelect label={t('to')} value={to} onChange={setTo} />
          <Text size="sm" className="muted">
            {t('transferNote')}
          </Text>
          <Button disabled={to === null} loading={busy} onClick={() => to && transfer(to)}>
            {t('transfer')}
          </Button>
        </Stack>
      </Modal>
    </Card>
  )
}
