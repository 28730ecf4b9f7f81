import { Button, Group } from '@mantine/core'
import {
  IconArrowRampRight,
  IconArrowUpCircle,
  IconBan,
  IconBrackets,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { OperationDialog } from './OperationDialog'
import { type InstanceOperation, operate, operationsIn } from './operations'
import type { Instance } from './types'

const icons: Record<InstanceOperation, typeof IconBan> = {
  retry: IconRefresh,
  resume: IconPlayerPlay,
  suspend: IconPlayerPause,
  jump: IconArrowRampRight,
  migrate: IconArrowUpCircle,
  setVariables: IconBrackets,
  cancel: IconBan,
  terminate: IconPlayerStop,
}
const atOnce = new Set<InstanceOperation>(['retry', 'resume'])
const nothing = { reason: '', nodeId: null, version: null, nodeMapping: {}, variables: '{}' }

/** What an operator can do with the instance now. */
export function Operations({ instance, onDone }: { instance: Instance; onDone: () => void }) {
  const { t } = useTranslation('instance')
  const { client } = useApp().connection
  const [asking, setAsking] = useState<InstanceOperation | null>(null)
  const [busy, setBusy] = useState(false)
  const done = (operation: InstanceOperation) => {
    showDone(t('doneOperation', { operation: t(`operations.${operation}`) }))
    setAsking(null)
    onDone()
  }
  const begin = async (operation: InstanceOperation) => {
    if (!atOnce.has(operation)) return setAsking(operation)
    setBusy(true)
    const error = await operate(client, operation, instance, nothing)
    setBusy(false)
    if (error) return showRefusal(error)
    done(operation)
  }
  const possible = operationsIn(instance.status)
  if (possible.length === 0) return null
  return (
    <Group gap="xs" mb="md" role="toolbar" aria-label={t('operationsOf')}>
      {possible.map((operation) => {
        const Icon = icons[operation]
        return (
          <Button
            key={operation}
            size="xs"
            variant={atOnce.has(operation) ? 'filled' : 'default'}
            leftSection={<Icon size={15} aria-hidden />}
            disabled={busy}
            onClick={() => begin(operation)}
          >
            {t(`operations.${operation}`)}
          </Button>
        )
      })}
      {asking && (
        <OperationDialog
          key={asking}
          instance={instance}
          operation={asking}
          onClose={() => setAsking(null)}
          onDone={() => done(asking)}
        />
      )}
    </Group>
  )
}
