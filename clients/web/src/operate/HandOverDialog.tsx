import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { PersonSelect } from '../task/PersonSelect'
import { handOver } from './documents'

/** Gives all open tasks of somebody who leaves to another person. */
export function HandOverDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('operate')
  const { client } = useApp().connection
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (from === null || to === null) return
    setBusy(true)
    const given = { fromUserId: from, toUserId: to, comment: comment.trim() || null }
    const { data, error } = await client.mutation(handOver, given)
    setBusy(false)
    if (error) return showRefusal(error)
    const results = data?.handOverTasks ?? []
    const refused = results.flatMap((result) => (result.error ? [result.error.message] : []))
    showDone(t('handedOver', { done: results.length - refused.length, all: results.length }))
    for (const message of new Set(refused)) notifications.show({ color: 'red', message, autoClose: 10_000 })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('handOver')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('handOverNote')}</Text>
          <PersonSelect label={t('fromPerson')} value={from} onChange={setFrom} />
          <PersonSelect label={t('toPerson')} value={to} onChange={setTo} />
          <Textarea label={t('reason')} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={busy} disabled={from === null || to === null || from === to}>
              {t('handOver')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
