import { Button, Checkbox, Group, Modal, Select, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { asks, carryOut, type Given, type SideOperation } from './operations'
import { PeopleSelect, PersonSelect } from './PersonSelect'

interface OperationDialogProps {
  taskId: string
  operation: SideOperation
  targets: readonly { id: string; title: string }[]
  onClose: () => void
  onDone: (operation: SideOperation) => void
}

/** Asks for what an operation needs and carries it out; a refusal leaves the dialog as it was filled in. */
export function OperationDialog({ taskId, operation, targets, onClose, onDone }: OperationDialogProps) {
  const { t } = useTranslation('task')
  const { client } = useApp().connection
  const [busy, setBusy] = useState(false)
  const first = targets[0]?.id ?? null
  const [given, setGiven] = useState<Given>({ comment: '', person: null, people: [], nodeId: first, resubmit: false })
  const change = (part: Partial<Given>) => setGiven((before) => ({ ...before, ...part }))
  const asked = asks[operation]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const error = await carryOut(client, operation, taskId, given)
    setBusy(false)
    if (error) return showRefusal(error)
    showDone(t('doneOperation', { operation: t(`operations.${operation}`) }))
    onDone(operation)
  }
  return (
    <Modal opened onClose={onClose} title={t(`operations.${operation}`)}>
      <form onSubmit={submit}>
        <Stack>
          {asked === 'person' && (
            <PersonSelect label={t('person')} value={given.person} onChange={(person) => change({ person })} />
          )}
          {asked === 'people' && (
            <PeopleSelect label={t('people')} value={given.people} onChange={(people) => change({ people })} />
          )}
          {asked === 'node' && targets.length > 0 && (
            <Select
              label={t('returnTo')}
              data={targets.map(({ id, title }) => ({ value: id, label: title }))}
              value={given.nodeId}
              onChange={(nodeId) => change({ nodeId })}
              allowDeselect={false}
            />
          )}
          {asked === 'node' && (
            <Checkbox
              label={t('resubmit')}
              checked={given.resubmit}
              onChange={(event) => change({ resubmit: event.currentTarget.checked })}
            />
          )}
          <Textarea
            label={t('opinion')}
            autosize
            minRows={2}
            data-autofocus={asked === 'comment' || undefined}
            value={given.comment}
            onChange={(event) => change({ comment: event.currentTarget.value })}
          />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={busy}>
              {t(`operations.${operation}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
