import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showRefusal } from '../api/refusal'
import { create } from './documents'

/** Makes a draft with a start, one task and an end: something that can be drawn and published. */
export function NewDefinition({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('definitions')
  const { client } = useApp().connection
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const { data, error } = await client.mutation(create, { document: skeleton(name.trim(), displayName.trim()) })
    setBusy(false)
    if (error) return showRefusal(error)
    if (data) await navigate({ to: '/definitions/$name', params: { name: data.createDefinition.definition.name } })
  }
  return (
    <Modal opened onClose={onClose} title={t('create')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            required
            data-autofocus
            label={t('name')}
            description={t('nameRule')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('displayName')}
            value={displayName}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={busy}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function skeleton(name: string, displayName: string) {
  return {
    name,
    ...(displayName && { displayName }),
    variables: [{ name: 'approver', required: true }],
    nodes: [
      { id: 'start', activityType: 'Start' },
      {
        id: 'approve',
        activityType: 'UserTask',
        properties: { AssigneeRules: [{ type: 'Expression', values: ['approver'] }], Title: displayName || name },
      },
      { id: 'approved', activityType: 'End', properties: { Outcome: 'approved' } },
      { id: 'rejected', activityType: 'End', properties: { Outcome: 'rejected' } },
    ],
    transitions: [
      { id: 't1', sourceNodeId: 'start', targetNodeId: 'approve' },
      { id: 't2', sourceNodeId: 'approve', targetNodeId: 'approved', condition: "outcome == 'approved'" },
      { id: 't3', sourceNodeId: 'approve', targetNodeId: 'rejected', isDefault: true },
    ],
  }
}
