import { expect, it } from 'vitest'
import type { Prisma } from '../../src/generated/prisma/client.js'
import { copyList } from '../../src/persistence/copyList.js'
import { type InstanceFilter, type InstanceSortField, instanceList } from '../../src/persistence/instanceList.js'
import type { List, PageRequest } from '../../src/persistence/page.js'
import { countStatement, pageStatement } from '../../src/persistence/pageStatement.js'
import { recordList } from '../../src/persistence/recordList.js'
import type { Direction } from '../../src/persistence/sort.js'
import { type TaskFilter, type TaskSortField, taskList } from '../../src/persistence/taskList.js'
import { inTransaction } from '../../src/persistence/transaction.js'
import { addCrowd } from '../support/crowd.js'
import { onPostgres } from '../support/databases.js'
import { document, Engine, unwrap } from '../support/engine.js'

const page: PageRequest = { size: 50, backward: false, after: null, before: null, skip: 0 }
const now = new Date('2026-06-01')
const operator = { tenantId: '', userId: 'p1', keys: ['p1'], seesAll: true }
const employee = { ...operator, userId: 'p99', keys: ['p99'], seesAll: false }
const directions: Direction[] = ['ASC', 'DESC']

const instances = (filter: InstanceFilter, field?: InstanceSortField, direction: Direction = 'ASC') =>
  instanceList(filter, field ? [{ field, direction }] : [], operator)
const tasks = (filter: TaskFilter, field?: TaskSortField, direction: Direction = 'ASC', keys = ['p1']) =>
  taskList(filter, field ? [{ field, direction }] : [], keys, now)

const lists: { [name: string]: List } = {
  'all instances': instances({}),
  'instances of a person': instances({ starterId: 'p1', topLevelOnly: true }),
  'instances that a person may see': instanceList({}, [], employee),
  'instances that a person may see by title': instanceList({}, [{ field: 'TITLE', direction: 'ASC' }], employee),
  'running instances that a person may see': instanceList({ statuses: ['RUNNING'] }, [], employee),
  'instances that a person may see by keyword': instanceList({ keyword: '采购' }, [], employee),
  'instances that have faulted': instances({ statuses: ['FAULTED'] }),
  'instances of a definition': instances({ definitionName: 'process-3' }),
  'instances by correlation id': instances({ correlationIds: ['PO-77', 'PO-78'] }),
  'to do': tasks({}),
  'to do of many groups': tasks({}, undefined, 'ASC', ['p1', ...Array.from({ length: 200 }, (_, g) => `group:${g}`)]),
  'overdue tasks': tasks({ overdue: true }),
  'tasks by keyword': tasks({ keyword: '采购' }),
  'done by a person': recordList({ actorId: 'p1' }),
  'all records': recordList({}),
  'copied to a person': copyList('p1', false),
}
for (const direction of directions) {
  for (const field of ['CREATED_AT', 'STATUS', 'DEFINITION_NAME', 'TITLE', 'ENDED_AT'] as const)
    lists[`instances by ${field} ${direction}`] = instances({}, field, direction)
  for (const field of ['CREATED_AT', 'DUE_AT', 'PRIORITY', 'TITLE'] as const)
    lists[`tasks by ${field} ${direction}`] = tasks({}, field, direction)
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

onPostgres('plans', (database, url) => {
  async function planOf(statement: Prisma.Sql): Promise<Plan[]> {
    const [row] = await database().prisma.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `EXPLAIN (FORMAT JSON) ${statement.text}`,
      ...statement.values,
    )
    return row ? nodesOf(row['QUERY PLAN'][0].Plan) : []
  }

  it('walk no table whole for any list, its second page included', async () => {
    await addCrowd(url(), { instances: 20_000, tasks: 20_000, people: 100 })
    for (const [name, list] of Object.entries(lists)) {
      expect(scannedWhole(await planOf(pageStatement('', list, page))), name).toEqual([])
      const after = list.keys.map(({ column }) => (column.nullable ? null : samples[column.type]))
      expect(scannedWhole(await planOf(pageStatement('', list, { ...page, after }))), `${name}, further`).toEqual([])
    }
    for (const list of [tasks({}), instanceList({}, [], employee)])
      expect(scannedWhole(await planOf(countStatement('', list))), `total of ${list.table}`).toEqual([])
  })

  it('find a keyword of any length by the index of grams, in the page and in the total', async () => {
    await addCrowd(url(), { instances: 20_000, tasks: 40_000, people: 100 })
    for (const keyword of ['龘', '采龘', 'q#', 'conference hall', 'po-19999']) {
      for (const list of [instances({ keyword }), recordList({ keyword })]) {
        for (const statement of [pageStatement('', list, page), countStatement('', list)]) {
          const plan = await planOf(statement)
          expect(scannedWhole(plan), keyword).toEqual([])
          expect(
            plan.map((node) => node['Index Name']),
            keyword,
          ).toContain(`${list.table}_searchText_idx`)
        }
      }
    }
  })

  it('of a command are prepared once for each connection, and good for whatever values', async () => {
    await addCrowd(url(), { instances: 20_000, tasks: 20_000, people: 100 })
    const engine = new Engine(database())
    await engine.publish(
      document('one', { s: 'Start', t: ['UserTask', { Assignees: ['u1'] }], end: 'End' }, ['s>t', 't>end']),
    )
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.push(unwrap(await engine.start('one')).instance.id)
    const tasks = (await engine.tasks()).filter((task) => ids.includes(task.instanceId ?? ''))
    await inTransaction(database(), async (tx) => {
      for (const { id } of tasks) unwrap(await engine.complete(id, 'u1', 'approved', {}, { tx }))
      const prepared = await tx.$queryRawUnsafe<{ name: string; statement: string; arity: number }[]>(
        `SELECT name, statement, cardinality(parameter_types) AS arity FROM pg_prepared_statements WHERE name LIKE 'cs%'`,
      )
      const load = prepared.filter(({ statement }) => statement.includes('FOR NO KEY UPDATE OF i'))
      const flush = prepared.filter(({ statement }) => statement.includes('WITH guard AS'))
      // One that inserts an instance, one that updates it.
      expect([load.length, flush.length]).toEqual([1, 2])
      // The plan that a connection keeps once it has seen some values.
      await tx.$executeRawUnsafe('SET LOCAL plan_cache_mode = force_generic_plan')
      for (const { name, arity, statement } of [...load, ...flush]) {
        const values = Array.from({ length: arity }, () => 'NULL').join(', ')
        const [row] = await tx.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
          `EXPLAIN (FORMAT JSON) EXECUTE ${name}(${values})`,
        )
        expect(scannedWhole(row ? nodesOf(row['QUERY PLAN'][0].Plan) : []), statement).toEqual([])
      }
    })
  })
})

const samples = {
  text: 'm',
  integer: '1',
  bigint: '10000',
  timestamptz: '2026-01-03 00:00:00+00',
  DefinitionStatus: 'PUBLISHED',
  InstanceStatus: 'RUNNING',
  TaskAction: 'COMPLETED',
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

const large: readonly unknown[] = ['Instance', 'NodeInstance', 'Bookmark', 'TaskRecord', 'Copy']

function scannedWhole(plan: Plan[]): (string | undefined)[] {
  const whole = plan.filter((node) => node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name']))
  return whole.map((node) => node['Relation Name'])
}
