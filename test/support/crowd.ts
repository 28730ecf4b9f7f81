import pg from 'pg'

/** How large the crowd of the list measurements is. */
export interface CrowdSize {
  instances: number
  tasks: number
  people: number
}

/** The person whose inbox is neither one of the largest nor one of the smallest. */
export const somebody = 'p500'

/**
 * Fills a fresh database by set-based SQL: instances of ten definitions with Chinese and English titles, seven of ten
 * running, and open tasks skewed over the people (the first has one of thirty-two), one of eight for one of twice as many
 * groups. Indexes are built afterwards.
 */
export async function addCrowd(url: string, size: CrowdSize): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    // What refers to what is right by construction; checking a million references one by one takes minutes.
    await client.query(`SET session_replication_role = replica`)
    await client.query(`SET maintenance_work_mem = '512MB'`)
    await client.query(`SELECT setseed(0.5)`)
    const { rows: indexes } = await client.query<{ name: string; create: string }>(`
      SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS create FROM pg_index i
      WHERE i.indrelid::regclass::text IN ('"Instance"', '"NodeInstance"', '"Bookmark"', '"TaskRecord"', '"Copy"') AND NOT i.indisunique`)
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    for (const statement of statements(size)) await client.query(statement)
    for (const { create } of indexes) await client.query(create)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

const id = (block: number, index: string) =>
  `('00000000-0000-7000-800${block}-' || lpad(to_hex(${index}), 12, '0'))::uuid`

const pick = (words: string[], index: string) =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[1 + ((${index}) % ${words.length})::int]`

const people = ['李明', '王芳', '张伟', '刘洋', '陈静', '杨帆', '赵磊', '黄丽', '周强', '吴敏', '徐杰', '孙悦', '马超']
const requests = [
  '采购申请',
  '请假申请',
  '费用报销',
  '合同审批',
  '出差申请',
  '入职办理',
  '付款申请',
  '印章使用',
  '预算调整',
]
const subjects = ['purchase', 'travel', 'expense', 'contract', 'vacation', 'onboarding', 'payment', 'budget', 'access']
const objects = ['laptops', 'a conference', 'office chairs', 'a supplier', 'spare parts', 'consulting', 'a warehouse']

const title = `CASE WHEN i % 2 = 0
  THEN ${pick(people, 'i / 2')} || '的' || ${pick(requests, 'i / 26')} || ' ' || i
  ELSE ${pick(subjects, 'i / 2')} || ' request ' || i || ' for ' || ${pick(objects, 'i / 18')} END`

function statements({ instances, tasks, people: count }: CrowdSize): string[] {
  const when = (index: string) => `timestamptz '2026-01-01' + ${index} * interval '20 seconds'`
  const status = `CASE WHEN i % 10 < 7 THEN 'RUNNING' WHEN i % 1000 = 999 THEN 'FAULTED' ELSE 'COMPLETED' END`
  // The instance of a task: only running ones have any.
  const instance = `((t / 7) * 10 + t % 7) % ${instances}`
  return [
    `INSERT INTO "User" ("tenantId", id, name, groups)
     SELECT '', 'p' || p, 'Person ' || p, '{}' FROM generate_series(0, ${count - 1}) p`,
    `INSERT INTO "Definition" ("tenantId", id, name, version, status, title, "titleKey", "searchText", document, "createdAt")
     SELECT '', ${id(0, 'd')}, 'process-' || d, 1, 'PUBLISHED', 'Process ' || d, 'Process ' || d,
       'process-' || d, '{"name":"process","nodes":[],"transitions":[]}', '2026-01-01' FROM generate_series(0, 9) d`,
    `INSERT INTO "Instance" ("tenantId", id, "definitionId", "definitionName", "definitionVersion", status, title, "titleKey",
       "searchText", "correlationId", "starterId", variables, state, "createdAt", "endedAt")
     SELECT '', ${id(1, 'i')}, ${id(0, 'i % 10')}, 'process-' || i % 10, 1, status::"InstanceStatus", title, title,
       lower(title) || E'\\x1f' || 'po-' || i, 'PO-' || i, 'p' || floor(${count} * random() * random())::int,
       '{"amount":1200,"reason":"as agreed"}', '{"joins":{},"pending":[]}', ${when('i')},
       CASE WHEN status = 'COMPLETED' THEN ${when('i')} + interval '1 day' END
     FROM (SELECT i, ${status} AS status, ${title} AS title FROM generate_series(0, ${instances - 1}) i) rows`,
    `INSERT INTO "NodeInstance" ("tenantId", id, "instanceId", "nodeId", "activityType", status, "cameFrom", "startedAt")
     SELECT '', ${id(2, 't')}, ${id(1, instance)}, 'approve', 'UserTask', 'WAITING', '{}', ${when('t')}
     FROM generate_series(0, ${tasks - 1}) t`,
    `INSERT INTO "Bookmark" ("tenantId", id, "instanceId", "nodeId", "nodeInstanceId", kind, key, payload, "createdAt", title,
       "titleKey", "searchTitle", priority, "taskDueAt", "instanceStatus", "definitionName", "searchInstanceText")
     SELECT '', ${id(3, 't')}, i.id, 'approve', ${id(2, 't')}, 'USER_TASK',
       CASE WHEN t % 8 = 0 THEN 'group:g' || floor(2 * ${count} * power(random(), 2))::int
         ELSE 'p' || floor(${count} * power(random(), 2))::int END, '{}', ${when('t')}, i.title, i.title, lower(i.title),
       CASE WHEN t % 3 > 0 THEN t % 5 END, CASE WHEN t % 4 > 0 THEN ${when('t')} + interval '3 days' END,
       i.status, i."definitionName", i."searchText" || E'\\x1f' || i."definitionName"
     FROM generate_series(0, ${tasks - 1}) t JOIN "Instance" i ON i.id = ${id(1, instance)}`,
    // Every fourth task has been handed over before, and was copied to somebody.
    `INSERT INTO "TaskRecord" ("tenantId", id, "instanceId", "definitionName", "taskId", "nodeInstanceId", "nodeId", "nodeTitle",
       "activityType", action, "actorId", "assigneeId", "targetNodeIds", "searchText", at)
     SELECT '', ${id(4, 't')}, b."instanceId", b."definitionName", b.id, b."nodeInstanceId", 'approve', 'Approve', 'UserTask',
       'TRANSFERRED', 'p' || floor(${count} * power(random(), 2))::int, b.key, '{}',
       b."searchTitle" || E'\\x1f' || b."searchInstanceText", b."createdAt"
     FROM generate_series(0, ${tasks - 1}, 4) t JOIN "Bookmark" b ON b.id = ${id(3, 't')}`,
    `INSERT INTO "Copy" ("tenantId", id, "instanceId", "nodeId", "userId", "taskTitle", "createdAt", "readAt")
     SELECT '', ${id(5, 't')}, b."instanceId", 'approve', 'p' || floor(${count} * power(random(), 2))::int, b.title,
       b."createdAt", CASE WHEN t % 8 > 0 THEN b."createdAt" END
     FROM generate_series(0, ${tasks - 1}, 4) t JOIN "Bookmark" b ON b.id = ${id(3, 't')}`,
  ]
}
