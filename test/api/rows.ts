import { uuidv7 } from 'uuidv7'
import type { Prisma } from '../../src/generated/prisma/client.js'
import type { Database } from '../../src/persistence/database.js'
import { searchText, titleKey } from '../../src/persistence/search.js'

/** The moment at which everything happens that is given no other. */
export const noon = new Date('2026-11-30T12:00:00.000Z')

/** Unchecked rows of a table, as they are inserted. */
type Rows<Input> = Partial<Input>[]

/** Inserts definitions. @returns their ids in the order given */
export async function addDefinitions(
  { prisma }: Database,
  rows: Rows<Prisma.DefinitionCreateManyInput>,
): Promise<string[]> {
  const data = rows.map((row, index) => {
    const name = row.name ?? `definition-${index}`
    const displayName = row.displayName ?? null
    const title = displayName ?? name
    return {
      tenantId: 'acme',
      id: uuidv7(),
      name,
      version: 1,
      status: 'PUBLISHED' as const,
      title,
      titleKey: titleKey(title),
      searchText: searchText(name, displayName, row.description ?? null),
      document: { id: 'd', name, nodes: [{ id: 'ask', activityType: 'UserTask', displayName: 'Ask' }] },
      createdAt: noon,
      ...row,
    }
  })
  await prisma.definition.createMany({ data })
  return data.map((row) => row.id)
}

/** Inserts instances of a definition. @returns their ids in the order given */
export async function addInstances(
  { prisma }: Database,
  definitionId: string,
  rows: Rows<Prisma.InstanceCreateManyInput>,
): Promise<string[]> {
  const data = rows.map((row, index) => {
    const title = row.title ?? `instance ${index}`
    return {
      tenantId: 'acme',
      id: uuidv7(),
      definitionId,
      definitionName: 'definition-0',
      definitionVersion: 1,
      status: 'RUNNING' as const,
      title,
      titleKey: titleKey(title),
      searchText: searchText(title, row.correlationId ?? null),
      variables: {},
      state: {},
      createdAt: noon,
      ...row,
    }
  })
  await prisma.instance.createMany({ data })
  return data.map((row) => row.id)
}

/** Inserts an open task, with the run of its node, for each row. @returns their ids in the order given */
export async function addTasks(
  { prisma }: Database,
  instanceId: string,
  rows: Rows<Prisma.BookmarkCreateManyInput>,
  instanceText = searchText('instance 0', null, 'definition-0'),
): Promise<string[]> {
  const nodes = rows.map((row) => ({
    tenantId: row.tenantId ?? 'acme',
    id: uuidv7(),
    instanceId: row.instanceId ?? instanceId,
    nodeId: 'ask',
    activityType: 'UserTask',
    status: 'WAITING' as const,
    startedAt: row.createdAt ?? noon,
  }))
  await prisma.nodeInstance.createMany({ data: nodes })
  const data = rows.map((row, index) => {
    const title = row.title ?? `task ${index}`
    return {
      tenantId: 'acme',
      id: uuidv7(),
      instanceId,
      nodeId: 'ask',
      nodeInstanceId: nodes[index]?.id ?? null,
      kind: 'USER_TASK' as const,
      key: 'bob',
      payload: { allowedOutcomes: ['approved', 'rejected'], formKey: null, formData: null },
      createdAt: noon,
      title,
      titleKey: titleKey(title),
      searchTitle: searchText(title),
      instanceStatus: 'RUNNING' as const,
      definitionName: 'definition-0',
      searchInstanceText: instanceText,
      ...row,
    }
  })
  await prisma.bookmark.createMany({ data })
  return data.map((row) => row.id)
}
