import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A moment in the language of the page; the whole of it on pointing at it. */
export function Time({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  const short = new Intl.DateTimeFormat(i18n.language, today ? { timeStyle: 'short' } : { dateStyle: 'medium' })
  const whole = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full', timeStyle: 'short' })
  return (
    <Text
      component="time"
      size="sm"
      className="muted"
      dateTime={at}
      title={whole.format(date)}
      style={{ whiteSpace: 'nowrap' }}
    >
      {short.format(date)}
    </Text>
  )
}
