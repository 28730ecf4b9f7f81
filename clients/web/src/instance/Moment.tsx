import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A moment to the second: what operators compare with logs. */
export function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <Text component="time" size="sm" className="muted" dateTime={at} title={at}>
      {format.format(new Date(at))}
    </Text>
  )
}
