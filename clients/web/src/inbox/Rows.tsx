import { Center, Loader, Stack, Text } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../api/refusal'
import type { Pages } from './pages'

interface RowsProps<Row> {
  pages: Pages<Row>
  label: string
  empty: string
  height?: number
  row: (row: Row) => ReactNode
}

/** A long list: only the rows in sight are drawn, and the next page is read as its end comes near. */
export function Rows<Row extends { id: string }>({ pages, label, empty, height = 68, row }: RowsProps<Row>) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { rows, loading, error, more } = pages
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = list.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - 20) more()
  })
  if (error) return <Text role="alert">{sentenceOf(error)}</Text>
  if (rows.length === 0)
    return (
      <Center h={260}>
        {loading ? (
          <Loader aria-label={t('loading')} />
        ) : (
          <Stack align="center" gap="xs" className="muted">
            <IconMoodSmile size={40} stroke={1.2} aria-hidden />
            <Text>{empty}</Text>
          </Stack>
        )}
      </Center>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
    <section ref={box} className="rows" aria-label={label} tabIndex={0} style={{ height: 'calc(100dvh - 220px)' }}>
      <ul style={{ height: list.getTotalSize(), position: 'relative', margin: 0, padding: 0, listStyle: 'none' }}>
        {items.map(({ index, start, key }) => {
          const item = rows[index]
          return (
            item && (
              <li
                key={key}
                className="task-row"
                style={{ position: 'absolute', top: start, height, left: 0, right: 0 }}
                aria-posinset={index + 1}
                aria-setsize={pages.hasMore ? -1 : rows.length}
              >
                {row(item)}
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
