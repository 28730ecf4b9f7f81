import { Group, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface ListHeadProps {
  title: string
  onSearch?: (keyword: string) => void
  children?: ReactNode
}

/** The title of a list with its search (key /) and filters. */
export function ListHead({ title, onSearch, children }: ListHeadProps) {
  const { t } = useTranslation('inbox')
  const input = useRef<HTMLInputElement>(null)
  const search = useDebouncedCallback((text: string) => onSearch?.(text.trim()), 250)
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h3">
        {title}
      </Title>
      <Group gap="sm">
        {children}
        {onSearch && (
          <TextInput
            ref={input}
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<IconSearch size={16} />}
            onChange={(event) => search(event.currentTarget.value)}
          />
        )}
      </Group>
    </Group>
  )
}
