import { createTheme } from '@mantine/core'

/** One look for all pages; shade 7 in the light and 8 in the dark keep white text on buttons readable (AA). */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  headings: { fontWeight: '650' },
})
