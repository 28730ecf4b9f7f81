import { Alert, Button, Card, Group, Menu, Stack, Table, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { lazy, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import type { FormHandle } from '../forms/SchemaForm'
import type { OneTaskQuery } from '../generated/graphql'
import { complete } from './documents'
import { OperationDialog } from './OperationDialog'
import { asks, carryOut, type SideOperation } from './operations'

type Task = NonNullable<OneTaskQuery['task']>
type Values = Record<string, unknown>

const SchemaForm = lazy(() => import('../forms/SchemaForm'))

interface AnswerPanelProps {
  task: Task
  onReload: () => void
  onLeave: () => void
}

/** The form, the opinion and the buttons, all at once: nothing can be answered before the form is there. Keys: a approves, r rejects, t transfers. */
export function AnswerPanel({ task, onReload, onLeave }: AnswerPanelProps) {
  const { t } = useTranslation('task')
  const { client } = useApp().connection
  const [opinion, setOpinion] = useState('')
  const [busy, setBusy] = useState<string | null>(null)
  const [dialog, setDialog] = useState<SideOperation | null>(null)
  const form = useRef<FormHandle>(null)
  const may = (operation: Task['operations'][number]) => task.operations.includes(operation)

  const answer = async (outcome: string) => {
    if (busy !== null || !may('COMPLETE') || !task.allowedOutcomes.includes(outcome)) return
    // Whoever rejects need not fill in the rest.
    const variables = form.current ? form.current.read(outcome !== 'rejected') : {}
    if (variables === null) return
    setBusy(outcome)
    const comment = opinion.trim()
    const input = { taskId: task.id, outcome, variables, ...(comment && { comment }) }
    const { error } = await client.mutation(complete, { input })
    setBusy(null)
    if (error) return showRefusal(error)
    showDone(t('answered', { title: task.title, outcome: t(`outcomes.${outcome}`, outcome) }))
    onLeave()
  }
  const act = async (operation: SideOperation) => {
    if (!may(operation)) return
    if (asks[operation] !== 'nothing') return setDialog(operation)
    const given = { comment: opinion, person: null, people: [], nodeId: null, resubmit: false }
    const error = await carryOut(client, operation, task.id, given)
    if (error) return showRefusal(error)
    onReload()
  }
  useHotkeys([
    ['a', () => void answer('approved')],
    ['r', () => void answer('rejected')],
    ['t', () => void act('TRANSFER')],
  ])
  const side = task.operations.filter((operation): operation is SideOperation => operation !== 'COMPLETE')
  return (
    <Card withBorder>
      <Stack>
        <TaskForm task={task} form={form} />
        {task.delegateAnswer && (
          <Alert title={t('delegateSaid', { name: task.delegateAnswer.by.name })}>
            {t(`outcomes.${task.delegateAnswer.outcome}`, task.delegateAnswer.outcome)}
            {task.delegateAnswer.comment && ` · ${task.delegateAnswer.comment}`}
          </Alert>
        )}
        {may('COMPLETE') && (
          <Textarea
            label={t('opinion')}
            autosize
            minRows={2}
            value={opinion}
            onChange={(event) => setOpinion(event.currentTarget.value)}
          />
        )}
        <Group gap="sm">
          {may('COMPLETE') &&
            task.allowedOutcomes.map((outcome) => (
              <OutcomeButton key={outcome} outcome={outcome} busy={busy} onClick={() => answer(outcome)} />
            ))}
          {side.length > 0 && (
            <Menu position="bottom-start" withinPortal>
              <Menu.Target>
                <Button variant="default" rightSection={<IconChevronDown size={16} />}>
                  {t('more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {side.map((operation) => (
                  <Menu.Item key={operation} onClick={() => act(operation)}>
                    {t(`operations.${operation}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Stack>
      {dialog && (
        <OperationDialog
          taskId={task.id}
          operation={dialog}
          targets={task.returnTargets}
          onClose={() => setDialog(null)}
          onDone={(operation) => {
            setDialog(null)
            const leaves = operation === 'TRANSFER' || operation === 'DELEGATE' || operation === 'RETURN'
            if (leaves) onLeave()
            else onReload()
          }}
        />
      )}
    </Card>
  )
}

function OutcomeButton({ outcome, busy, onClick }: { outcome: string; busy: string | null; onClick: () => void }) {
  const { t } = useTranslation('task')
  const rejects = outcome === 'rejected'
  return (
    <Button
      color={rejects ? 'red.8' : undefined}
      variant={outcome === 'approved' || rejects ? 'filled' : 'default'}
      leftSection={outcome === 'approved' ? <IconCheck size={18} /> : rejects ? <IconX size={18} /> : undefined}
      loading={busy === outcome}
      disabled={busy !== null && busy !== outcome}
      onClick={onClick}
    >
      {t(`outcomes.${outcome}`, outcome)}
    </Button>
  )
}

function TaskForm({ task, form }: { task: Task; form: React.RefObject<FormHandle | null> }) {
  const { t } = useTranslation('task')
  const variables = task.instance.variables as Values
  if (task.form) {
    const filled = { ...variables, ...((task.formData ?? {}) as Values) }
    return <SchemaForm handle={form} schema={task.form as Values} readOnly={task.readOnlyFields} values={filled} />
  }
  const shown = Object.entries(variables).filter(([, value]) => value !== null && typeof value !== 'object')
  return (
    <>
      {task.formKey && <Text className="muted">{t('formKey', { key: task.formKey })}</Text>}
      {shown.length > 0 && (
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            {shown.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={160}>{name}</Table.Th>
                <Table.Td>{String(value)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  )
}
