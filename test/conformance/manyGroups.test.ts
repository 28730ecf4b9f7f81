import { expect, it } from 'vitest'
import type { Bookmark } from '../../src/generated/prisma/client.js'
import { decodeCursor, type Position } from '../../src/persistence/cursor.js'
import { countList, type List, type Page, readPage } from '../../src/persistence/page.js'
import { openPartition, type Partition } from '../../src/persistence/partition.js'
import type { Sort } from '../../src/persistence/sort.js'
import { type TaskSortField, taskList } from '../../src/persistence/taskList.js'
import { onBothDatabases } from '../support/databases.js'
import { designer, document, Engine, unwrap } from '../support/engine.js'

const sorts: Sort<TaskSortField>[][] = [
  [],
  [{ field: 'CREATED_AT', direction: 'DESC' }],
  [{ field: 'TITLE', direction: 'ASC' }],
  [
    { field: 'PRIORITY', direction: 'DESC' },
    { field: 'TITLE', direction: 'DESC' },
  ],
]

onBothDatabases('inboxes of many groups', (database) => {
  it('show each task once in the order of the list, whichever of the groups have any', async () => {
    const engine = new Engine(database())
    let names = 0
    for (const group of ['b', 'c', 'e', 'm', 'z', 'ä', 'Z'])
      for (const [index, priority] of [7, 3, 9].entries()) {
        const properties = { Assignees: [`group:${group}`], Priority: priority, Title: `${group} ${5 - index}` }
        const name = `of-${names++}`
        await engine.publish(document(name, { s: 'Start', t: ['UserTask', properties], end: 'End' }, ['s>t', 't>end']))
        unwrap(await engine.start(name))
      }
    const all = await engine.tasks()
    expect(all).toHaveLength(21)
    const partition = openPartition(database().prisma, designer.tenantId)
    const groups = ['a', 'c', 'd', 'e', 'f', 'g', 'h', 'l', 'm', 'n', 'y', 'Z', 'ä', 'zz', "o'", '%']
    const keys = ['somebody', ...groups.map((group) => `group:${group}`)]
    const mine = all.filter(({ key }) => keys.includes(key ?? ''))
    expect(mine).toHaveLength(15)
    for (const sort of sorts) {
      const expected = await walk(partition, taskList({}, sort, null, new Date()))
      const list = taskList({}, sort, keys, new Date())
      const seen = await walk(partition, list)
      expect(seen).toHaveLength(15)
      expect(seen).toEqual(expected.filter((id) => mine.some((task) => task.id === id)))
      const skipped = await readPage<Bookmark>(partition, list, { ...first, skip: 5 })
      expect(skipped.rows.map(({ id }) => id)).toEqual(seen.slice(5, 9))
      expect(await countList(partition, list)).toBe(15)
    }
  })

  it('are empty where no group has a task', async () => {
    const partition = openPartition(database().prisma, designer.tenantId)
    const keys = Array.from({ length: 1_000 }, (_, index) => `group:${index}`)
    const { rows, total } = await readPage<Bookmark>(partition, taskList({}, [], keys, new Date()), first, true)
    expect([rows, total]).toEqual([[], undefined])
  })
})

const first = { size: 4, backward: false, after: null, before: null, skip: 0 }

/** The ids of a whole list, page by page. */
async function walk(partition: Partition, list: List): Promise<string[]> {
  const ids: string[] = []
  for (let after: Position | null = null; ; ) {
    const { rows, hasNextPage }: Page<Bookmark> = await readPage<Bookmark>(partition, list, { ...first, after })
    ids.push(...rows.map(({ id }) => id))
    if (!hasNextPage) return ids
    after = decodeCursor(list.table, list.keys, String(rows.at(-1)?.cursor))
  }
}
