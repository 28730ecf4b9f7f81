import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showRefusal } from '../api/refusal'
import { isObjectText } from './changes'
import { MigrationFields } from './MigrationFields'
import { type Given, type InstanceOperation, operate } from './operations'
import type { Instance } from './types'

const JsonEditor = lazy(() => import('../definitions/JsonEditor'))

interface OperationDialogProps {
  instance: Instance
  operation: InstanceOperation
  onClose: () => void
  onDone: () => void
}

const withReason = new Set<InstanceOperation>(['suspend', 'cancel', 'terminate', 'jump'])
const dangerous = new Set<InstanceOperation>(['cancel', 'terminate'])

/** Asks for what an operation needs and carries it out; a refusal leaves the dialog as it was filled in. */
export function OperationDialog({ instance, operation, onClose, onDone }: OperationDialogProps) {
  const { t } = useTranslation('instance')
  const { client } = useApp().connection
  const [busy, setBusy] = useState(false)
  const [given, setGiven] = useState<Given>({
    reason: '',
    nodeId: null,
    version: null,
    nodeMapping: {},
    variables: JSON.stringify(instance.variables, null, 2),
  })
  const change = (part: Partial<Given>) => setGiven((before) => ({ ...before, ...part }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const error = await operate(client, operation, instance, given)
    setBusy(false)
    if (error) return showRefusal(error)
    onDone()
  }
  const title = t(`operations.${operation}`)
  return (
    <Modal opened onClose={onClose} title={title} size={operation === 'setVariables' ? 'lg' : 'md'}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t(`explanations.${operation}`)}</Text>
          {operation === 'jump' && (
            <Select
              required
              searchable
              label={t('node')}
              data={nodesOf(instance.definition.document)}
              value={given.nodeId}
              onChange={(nodeId) => change({ nodeId })}
            />
          )}
          {operation === 'migrate' && <MigrationFields instance={instance} given={given} onChange={change} />}
          {operation === 'setVariables' && (
            <Suspense fallback={<Text>{t('loading', { ns: 'common' })}</Text>}>
              <JsonEditor
                label={t('tabs.variables')}
                value={given.variables}
                onChange={(variables) => change({ variables })}
                height="320px"
              />
            </Suspense>
          )}
          {withReason.has(operation) && (
            <Textarea
              label={t('reason')}
              autosize
              minRows={2}
              value={given.reason}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            />
          )}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t('back', { ns: 'common' })}
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={!isComplete(operation, given)}
              {...(dangerous.has(operation) && { color: 'red.9' })}
            >
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function isComplete(operation: InstanceOperation, { nodeId, version, variables }: Given): boolean {
  if (operation === 'jump') return nodeId !== null
  if (operation === 'migrate') return version !== null
  return operation !== 'setVariables' || isObjectText(variables)
}

function nodesOf(document: unknown): { value: string; label: string }[] {
  const { nodes = [] } = document as { nodes?: { id: string; displayName?: string | null }[] }
  return nodes.map(({ id, displayName }) => ({ value: id, label: displayName ? `${displayName} (${id})` : id }))
}
