import { Button, Group, List, Modal, NumberInput, Progress, Stack, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showRefusal } from '../api/refusal'
import { type BulkOperation, type BulkResult, runBulk } from './bulk'

interface BulkDialogProps {
  operation: BulkOperation
  instances: readonly { id: string; title: string }[]
  onClose: () => void
}

const withReason = new Set<BulkOperation>(['suspend', 'cancel'])

/** Asks once, then shows how far it is and what became of each instance. */
export function BulkDialog({ operation, instances, onClose }: BulkDialogProps) {
  const { t } = useTranslation('operate')
  const { client } = useApp().connection
  // The list goes on behind the dialog: what was chosen when it opened is meant.
  const [chosen] = useState(instances)
  const [reason, setReason] = useState('')
  const [version, setVersion] = useState<number | null>(null)
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setResults([])
    const ids = chosen.map(({ id }) => id)
    const error = await runBulk(client, operation, ids, { reason, version }, setResults)
    setBusy(false)
    if (error) showRefusal(error)
  }
  const name = t(`operations.${operation}`)
  return (
    <Modal opened onClose={busy ? () => {} : onClose} title={t('bulkTitle', { operation: name, count: chosen.length })}>
      {results === null ? (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{t(`explanations.${operation}`)}</Text>
            {withReason.has(operation) && (
              <Textarea label={t('reason')} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
            )}
            {operation === 'migrate' && (
              <NumberInput
                required
                min={1}
                allowDecimal={false}
                label={t('toVersion')}
                value={version ?? ''}
                onChange={(value) => setVersion(typeof value === 'number' ? value : null)}
              />
            )}
            <Group justify="end">
              <Button variant="default" onClick={onClose}>
                {t('back', { ns: 'common' })}
              </Button>
              <Button type="submit" disabled={operation === 'migrate' && version === null}>
                {name}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Results chosen={chosen} results={results} busy={busy} onClose={onClose} />
      )}
    </Modal>
  )
}

interface ResultsProps {
  chosen: BulkDialogProps['instances']
  results: readonly BulkResult[]
  busy: boolean
  onClose: () => void
}

function Results({ chosen, results, busy, onClose }: ResultsProps) {
  const { t } = useTranslation('operate')
  const titles = new Map(chosen.map(({ id, title }) => [id, title]))
  const done = results.filter(({ refusal }) => refusal === null).length
  return (
    <Stack>
      <Progress value={(100 * results.length) / chosen.length} aria-label={t('progress')} />
      <Text role="status" fw={600}>
        {t('results', { done, all: chosen.length })}
      </Text>
      <List spacing="xs" center={false} mah={320} style={{ overflow: 'auto' }} listStyleType="none">
        {results.map(({ id, refusal }) => (
          <List.Item
            key={id}
            icon={
              refusal === null ? (
                <IconCheck size={18} color="var(--mantine-color-teal-6)" aria-label={t('succeeded')} role="img" />
              ) : (
                <IconAlertTriangle
                  size={18}
                  color="var(--mantine-color-error)"
                  aria-label={t('refusedOne')}
                  role="img"
                />
              )
            }
          >
            <Text size="sm" fw={600}>
              {titles.get(id)}
            </Text>
            {refusal && <Text size="sm">{refusal}</Text>}
          </List.Item>
        ))}
      </List>
      <Group justify="end">
        <Button onClick={onClose} loading={busy}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  )
}
