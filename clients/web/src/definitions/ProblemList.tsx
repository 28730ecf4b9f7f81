import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Problem } from './JsonEditor'

interface ProblemListProps {
  problems: readonly Problem[]
  readable: boolean
  onGoTo: (place: { path: string }) => void
}

/** What the validator says; each problem leads to its place in the document. */
export function ProblemList({ problems, readable, onGoTo }: ProblemListProps) {
  const { t } = useTranslation('definitions')
  const fine = readable && problems.length === 0
  return (
    <Card withBorder mt="sm" component="section" aria-label={t('problems')} aria-live="polite">
      <Title order={2} size="h6" mb="xs">
        {t('problems')}
      </Title>
      {!readable && (
        <Group gap="xs" wrap="nowrap">
          <IconAlertTriangle size={18} color="var(--mantine-color-error)" aria-hidden />
          <Text size="sm">{t('notJson')}</Text>
        </Group>
      )}
      {fine && (
        <Group gap="xs" wrap="nowrap">
          <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text size="sm">{t('noProblems')}</Text>
        </Group>
      )}
      <Stack gap={6} mah={150} style={{ overflow: 'auto' }} component="ul" m={0} p={0}>
        {problems.map(({ path, message, severity }) => (
          <Group
            key={`${path} ${message}`}
            gap="xs"
            wrap="nowrap"
            align="start"
            component="li"
            data-severity={severity}
          >
            {severity === 'ERROR' ? (
              <IconAlertTriangle size={18} color="var(--mantine-color-error)" style={{ flex: 'none' }} aria-hidden />
            ) : (
              <IconInfoCircle size={18} style={{ flex: 'none' }} aria-hidden />
            )}
            <Text size="sm">
              {message}{' '}
              <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onGoTo({ path })}>
                {path}
              </Anchor>
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
