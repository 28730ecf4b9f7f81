import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import { validate } from './documents'
import type { Problem } from './JsonEditor'

export interface Checked {
  /** The last text that was JSON, read. */
  document: unknown
  /** Whether the text is JSON now. */
  readable: boolean
  problems: readonly Problem[]
}

/** What the validator says to a text, a moment after it has been written. */
export function useProblems(text: string): Checked {
  const { client } = useApp().connection
  const { i18n } = useTranslation()
  const [settled] = useDebouncedValue(text, 300)
  const [checked, setChecked] = useState<Checked>({ document: null, readable: true, problems: [] })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sentences are in the language of the page
  useEffect(() => {
    let gone = false
    const document = read(settled)
    if (document === undefined) {
      setChecked((before) => ({ ...before, readable: false, problems: [] }))
      return
    }
    setChecked((before) => ({ ...before, document, readable: true }))
    client.query(validate, { document }, { requestPolicy: 'network-only' }).then(({ data }) => {
      if (!gone && data) setChecked((before) => ({ ...before, problems: data.validateDefinition }))
    })
    return () => {
      gone = true
    }
  }, [client, settled, i18n.language])
  return checked
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
