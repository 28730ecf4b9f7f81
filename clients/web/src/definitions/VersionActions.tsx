import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { CombinedError } from '@urql/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { showDone, showRefusal } from '../api/refusal'
import { CompareDialog } from './CompareDialog'
import { archive, disable, newVersion, publish, remove, save } from './documents'
import type { OtherVersion, Version } from './VersionEditor'

interface VersionActionsProps {
  name: string
  version: Version
  others: readonly OtherVersion[]
  text: string
  dirty: boolean
  readable: boolean
  onSaved: () => void
  onChanged: (next?: string) => void
  onGone: () => void
}

/** What can be done with a version where it stands in its life. */
export function VersionActions(props: VersionActionsProps) {
  const { name, version, others, text, dirty, readable, onSaved, onChanged, onGone } = props
  const { t } = useTranslation('definitions')
  const { client } = useApp().connection
  const [busy, setBusy] = useState(false)
  const [comparing, setComparing] = useState(false)
  const { id, status } = version
  const run = async (done: string, work: () => Promise<CombinedError | undefined>, then: () => void) => {
    setBusy(true)
    const error = await work()
    setBusy(false)
    if (error) return showRefusal(error)
    showDone(done)
    then()
  }
  const saveText = async () => {
    const { error } = await client.mutation(save, { id, document: JSON.parse(text) })
    if (!error) onSaved()
    return error
  }
  const doSave = () => run(t('saved'), saveText, () => onChanged())
  const doPublish = () =>
    run(
      t('published'),
      async () => (dirty ? await saveText() : undefined) ?? (await client.mutation(publish, { id })).error,
      () => onChanged(),
    )
  const doNewVersion = async () => {
    const { data, error } = await client.mutation(newVersion, { name })
    if (error) return showRefusal(error)
    onChanged(data?.newDefinitionVersion.definition.id)
  }
  const doDisable = () =>
    run(
      t('disabled'),
      async () => (await client.mutation(disable, { id })).error,
      () => onChanged(),
    )
  const doArchive = () =>
    run(
      t('archived'),
      async () => (await client.mutation(archive, { id })).error,
      () => onChanged(),
    )
  const doRemove = () => run(t('deleted'), async () => (await client.mutation(remove, { id })).error, onGone)
  const draft = status === 'DRAFT'
  useHotkeys([['mod+S', () => void (draft && dirty && readable && doSave())]], [])
  return (
    <Group gap="xs" mb="sm" role="toolbar" aria-label={t('actions')}>
      {draft && (
        <>
          <Button size="xs" onClick={doPublish} disabled={!readable || busy}>
            {t('publish')}
          </Button>
          <Button size="xs" variant="default" onClick={doSave} disabled={!dirty || !readable || busy}>
            {t('save')}
          </Button>
          <Button size="xs" variant="default" onClick={doRemove} disabled={busy}>
            {t('delete')}
          </Button>
        </>
      )}
      {!draft && (
        <Button size="xs" onClick={doNewVersion} disabled={busy}>
          {t('newVersion')}
        </Button>
      )}
      {status === 'PUBLISHED' && (
        <Button size="xs" variant="default" onClick={doDisable} disabled={busy}>
          {t('disable')}
        </Button>
      )}
      {(status === 'PUBLISHED' || status === 'DISABLED') && (
        <Button size="xs" variant="default" onClick={doArchive} disabled={busy}>
          {t('archive')}
        </Button>
      )}
      {others.length > 0 && (
        <Button size="xs" variant="default" onClick={() => setComparing(true)}>
          {t('compare')}
        </Button>
      )}
      {comparing && <CompareDialog version={version} text={text} others={others} onClose={() => setComparing(false)} />}
    </Group>
  )
}
