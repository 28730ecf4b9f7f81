import { notifications } from '@mantine/notifications'
import type { CombinedError } from '@urql/core'
import i18next from 'i18next'

/** The sentence of a refusal in the language of the page, with the problems of a form below it. */
export function sentenceOf(error: CombinedError): string {
  const [first] = error.graphQLErrors
  if (!first) return i18next.t('unreachable')
  const violations = first.extensions?.violations
  const lines = Array.isArray(violations)
    ? violations.map((issue) => String((issue as { message?: unknown }).message ?? ''))
    : []
  return [first.message, ...lines.filter((line) => line !== '')].join('\n')
}

/** Shows why something was refused. */
export function showRefusal(error: CombinedError): void {
  notifications.show({ color: 'red', title: i18next.t('refused'), message: sentenceOf(error), autoClose: 8000 })
}

/** Says that something is done. */
export function showDone(message: string): void {
  notifications.show({ color: 'teal', message, autoClose: 3000 })
}
