import { Badge, Card, Checkbox, Group, Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../api/context'
import type { TaskSort, TodoQuery } from '../generated/graphql'
import { todoQuery } from './documents'
import { ListHead } from './ListHead'
import { useTaskEvents } from './live'
import { usePages } from './pages'
import { Rows } from './Rows'
import { SelectionBar } from './SelectionBar'
import { Time } from './Time'

type Row = TodoQuery['tasks']['nodes'][number]

const sorts: Record<string, TaskSort[]> = {
  oldest: [{ field: 'CREATED_AT', direction: 'ASC' }],
  newest: [{ field: 'CREATED_AT', direction: 'DESC' }],
  due: [{ field: 'DUE_AT', direction: 'ASC' }],
  title: [{ field: 'TITLE', direction: 'ASC' }],
}

/** What waits for the viewer. */
export default function TodoPage() {
  const { t } = useTranslation('inbox')
  const { client } = useApp().connection
  const [keyword, setKeyword] = useState('')
  const [sort, setSort] = useState('newest')
  const [overdueOnly, setOverdueOnly] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const load = useCallback(
    async (page: { first: number; after: string | null }) => {
      const filter = { ...(keyword && { keyword }), ...(overdueOnly && { overdue: true }) }
      const variables = { filter, sorts: sorts[sort] ?? [], ...page }
      const { data, error } = await client.query(todoQuery, variables, { requestPolicy: 'network-only' })
      if (!data) return error as NonNullable<typeof error>
      const { nodes, pageInfo, eventCursor } = data.tasks
      return { rows: nodes, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage, eventCursor }
    },
    [client, keyword, overdueOnly, sort],
  )
  const pages = usePages<Row>(load)
  useTaskEvents(pages.eventCursor, (created) => {
    pages.reload()
    const [first] = created
    if (first !== undefined)
      notifications.show({
        message: created.length === 1 ? first : t('arrived', { count: created.length }),
        title: t('newTask'),
      })
  })
  const chosen = pages.rows.filter(({ id }) => selected.has(id))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  return (
    <>
      <ListHead title={t('todo')} onSearch={setKeyword}>
        <Checkbox label={t('overdueOnly')} checked={overdueOnly} onChange={() => setOverdueOnly(!overdueOnly)} />
        <Select
          w={160}
          aria-label={t('sort')}
          value={sort}
          allowDeselect={false}
          onChange={(value) => setSort(value ?? 'newest')}
          data={Object.keys(sorts).map((value) => ({ value, label: t(`sorts.${value}`) }))}
        />
      </ListHead>
      <SelectionBar
        tasks={chosen}
        all={pages.rows.length}
        onAll={(all) => setSelected(new Set(all ? pages.rows.slice(0, 100).map(({ id }) => id) : []))}
        onDone={() => {
          setSelected(new Set())
          pages.reload()
        }}
      />
      <Card withBorder padding={0}>
        <Rows
          pages={pages}
          label={t('todo')}
          empty={t('nothingTodo')}
          row={(task) => <TodoRow task={task} selected={selected.has(task.id)} onToggle={() => toggle(task.id)} />}
        />
      </Card>
    </>
  )
}

function TodoRow({ task, selected, onToggle }: { task: Row; selected: boolean; onToggle: () => void }) {
  const { t } = useTranslation('inbox')
  return (
    <>
      <Checkbox aria-label={t('select', { title: task.title })} checked={selected} onChange={onToggle} />
      <Link to="/tasks/$id" params={{ id: task.id }}>
        <Text fw={600} truncate>
          {task.title}
        </Text>
        <Text size="sm" className="muted" truncate>
          {[task.instance.title, task.instance.starter?.name].filter(Boolean).join(' · ')}
        </Text>
      </Link>
      <Group gap="xs" wrap="nowrap">
        {task.candidateGroup && (
          <Badge variant="default" visibleFrom="sm">
            {task.candidateGroup}
          </Badge>
        )}
        {task.overdue && (
          <Badge color="red.9" variant="filled">
            {t('overdue')}
          </Badge>
        )}
        <Time at={task.createdAt} />
      </Group>
    </>
  )
}
