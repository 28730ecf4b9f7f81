import { Anchor, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { PersonSelect } from '../task/PersonSelect'
import { reassign } from './documents'
import { Moment } from './Moment'
import type { Instance } from './types'

type Task = Instance['tasks'][number]

/** What the instance waits for; operators can give a task to another person. */
export function OpenTasks({ instance, onDone }: { instance: Instance; onDone: () => void }) {
  const { t } = useTranslation('instance')
  const { viewer } = useApp()
  const [moving, setMoving] = useState<Task | null>(null)
  const others = instance.bookmarks.filter(({ kind }) => kind !== 'USER_TASK')
  if (instance.tasks.length + others.length === 0) return <Text className="muted">{t('nothingOpen')}</Text>
  return (
    <Stack gap="xs">
      {instance.tasks.map((task) => (
        <Group key={task.id} justify="space-between">
          <div>
            <Anchor component={Link} to={`/tasks/${task.id}`} fw={600}>
              {task.title}
            </Anchor>
            <Text size="sm" className="muted">
              {task.node.title} · {task.assignee?.name ?? task.candidateGroup}
            </Text>
          </div>
          {viewer.permissions.includes('operate') && task.assignee && (
            <Button size="xs" variant="default" onClick={() => setMoving(task)}>
              {t('reassign')}
            </Button>
          )}
        </Group>
      ))}
      {others.map((bookmark) => (
        <Group key={bookmark.id} justify="space-between">
          <Text size="sm">
            {t(`waits.${bookmark.kind}`)} {bookmark.key}
          </Text>
          {bookmark.dueAt && <Moment at={bookmark.dueAt} />}
        </Group>
      ))}
      {moving && <Reassign task={moving} onClose={() => setMoving(null)} onDone={onDone} />}
    </Stack>
  )
}

function Reassign({ task, onClose, onDone }: { task: Task; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('instance')
  const { client } = useApp().connection
  const [to, setTo] = useState<string | null>(null)
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (to === null) return
    setBusy(true)
    const input = {
      taskId: task.id,
      toUserId: to,
      onBehalfOf: task.assignee?.id ?? null,
      comment: comment.trim() || null,
    }
    const { error } = await client.mutation(reassign, { input })
    setBusy(false)
    if (error) return showRefusal(error)
    showDone(t('reassigned', { title: task.title }))
    onClose()
    onDone()
  }
  return (
    <Modal opened onClose={onClose} title={t('reassign')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{task.title}</Text>
          <PersonSelect label={t('to')} value={to} onChange={setTo} />
          <Textarea label={t('reason')} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={busy} disabled={to === null}>
              {t('reassign')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
