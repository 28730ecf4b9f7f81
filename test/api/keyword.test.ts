import { expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.js'
import { searchText } from '../../src/persistence/search.js'
import { onBothDatabases } from '../support/databases.js'
import { ask, person, statementsOf } from './ask.js'
import { addDefinitions, addInstances, addTasks } from './rows.js'

const titles = ['100% done', '1000 done', 'a_b', 'axb', 'c:\\temp', 'c:temp', '[x]', 'x', '满减50％', '满减50%', '＿']
const all = titles.length

/** Keyword → the titles that contain it. */
const found: [string, string[]][] = [
  ['%', ['100% done', '满减50%']],
  ['100%', ['100% done']],
  ['_', ['a_b']],
  ['a_b', ['a_b']],
  ['\\', ['c:\\temp']],
  ['\\t', ['c:\\temp']],
  ['[', ['[x]']],
  ['[x', ['[x]']],
  ['％', ['满减50％']],
  ['＿', ['＿']],
  ['满减', ['满减50％', '满减50%']],
  ['  a_B  ', ['a_b']],
  ['DONE', ['100% done', '1000 done']],
  ['done PO', []],
  ['donePO', []],
  ['done\u001fPO', []],
  ['\u001f', []],
  ['\u0000', []],
  ['\ud83d', []],
]

const query = (list: string) => `query ($keyword: String) {
  list: ${list}(filter: { keyword: $keyword }) { nodes { title } totalCount }
}`

async function search(database: Database, list: string, keyword: string) {
  const answer = await ask(database, person('bob', ['operate', 'design']), query(list), { keyword })
  expect(answer.errors).toEqual([])
  const { nodes, totalCount } = answer.data.list
  expect(totalCount).toBe(nodes.length)
  return nodes.map((node: { title: string }) => node.title).sort()
}

async function addAll(database: Database): Promise<void> {
  const named = titles.map((displayName, index) => ({
    name: `n${index}`.replace(/x/g, ''),
    displayName,
    description: 'PO-77',
  }))
  const [definition = ''] = await addDefinitions(database, named)
  const instances = await addInstances(
    database,
    definition,
    titles.map((title) => ({ title, correlationId: 'PO-77' })),
  )
  for (const [index, title] of titles.entries())
    await addTasks(database, instances[index] ?? '', [{ title }], searchText('case', 'PO-77', 'name'))
}

onBothDatabases('keywords', (database) => {
  for (const list of ['definitions', 'instances', 'tasks'])
    it(`C23 are taken literally in the list of ${list}, and the total is the number of rows`, async () => {
      await addAll(database())
      for (const [keyword, expected] of found)
        expect([keyword, await search(database(), list, keyword)]).toEqual([keyword, [...expected].sort()])
      expect(await search(database(), list, '   ')).toHaveLength(all)
      expect(await search(database(), list, 'po-7')).toHaveLength(all)
    })

  it('find a task by its instance’s title and its definition’s name', async () => {
    await addAll(database())
    expect(await search(database(), 'tasks', 'CASE')).toHaveLength(all)
    expect(await search(database(), 'tasks', 'name')).toHaveLength(all)
  })

  it('that nothing can contain cost no statement', async () => {
    const sent = await statementsOf(database(), () => search(database(), 'instances', 'a\u001fb'))
    expect(sent).toEqual([])
  })
})
