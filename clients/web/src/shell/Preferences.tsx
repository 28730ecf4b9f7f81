import { ActionIcon, Group, SegmentedControl, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, type Language, languages } from '../i18n'

/** The switches for the language and for light and dark. */
export function Preferences() {
  const { t, i18n } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return (
    <Group gap="xs" wrap="nowrap">
      <SegmentedControl
        size="xs"
        aria-label={t('language')}
        value={i18n.language}
        onChange={(value) => changeLanguage(value as Language)}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={dark ? t('light') : t('dark')}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Group>
  )
}
