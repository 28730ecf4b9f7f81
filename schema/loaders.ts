import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { Bookmark, Definition, Instance, NodeInstance } from '../src/generated/prisma/client.js'
import {
  type Branch,
  childrenOf,
  countBranches,
  historyOf,
  readBranches,
  trailOf,
} from '../src/persistence/branchPage.js'
import type { Position } from '../src/persistence/cursor.js'
import type { Page } from '../src/persistence/page.js'
import { isUuid } from '../src/persistence/text.js'
import { findInstances, findOwnSteps, visibleTo } from '../src/persistence/visibility.js'
import { partition, readerOf } from './access.js'
import type { Context } from './context.js'

export type BranchName = 'trail' | 'history' | 'children'

/**
 * What rows lead to, loaded in one statement for all the rows of an operation and kept for it.
 * Instances, nodes and definitions are reached from rows that the caller may see; `visibleInstance` is for the others.
 */
export const loadersOf = createContextCache((context: Context) => {
  const { orm } = partition(context)
  const reader = readerOf(context)
  return {
    definition: byId<Definition>((ids) => orm.definition.findMany({ where: { id: { in: ids } } })),
    instance: byId<Instance>((ids) => orm.instance.findMany({ where: { id: { in: ids } } })),
    visibleInstance: byId<Instance>((ids) => findInstances(partition(context), reader, ids)),
    nodeInstance: byId<NodeInstance>((ids) => orm.nodeInstance.findMany({ where: { id: { in: ids } } })),
    task: byId<Bookmark>((ids) => orm.bookmark.findMany({ where: { id: { in: ids }, kind: 'USER_TASK' } })),
    bookmarks: new DataLoader<string, Bookmark[]>(async (instanceIds) => {
      const found = await orm.bookmark.findMany({
        where: { instanceId: { in: [...instanceIds] } },
        orderBy: [{ createdAt: 'asc' }, { seq: 'asc' }],
      })
      return instanceIds.map((id) => found.filter((bookmark) => bookmark.instanceId === id))
    }),
    /** The nodes that ask or asked the caller, or copied him. */
    ownSteps: new DataLoader<string, string[]>((ids) => findOwnSteps(partition(context), reader, ids)),
    pages: new Map<string, DataLoader<string, Page<unknown>>>(),
    counts: new Map<BranchName, DataLoader<string, number>>(),
  }
})

/** The page below an instance; the pages of all instances that ask the same way are read in one statement. */
export function loadBranch<Row>(
  context: Context,
  name: BranchName,
  instanceId: string,
  request: { size: number; after: Position | null },
): Promise<Page<Row>> {
  const { pages } = loadersOf(context)
  const key = JSON.stringify([name, request])
  const loader =
    pages.get(key) ??
    new DataLoader<string, Page<unknown>>((ids) =>
      readBranches<unknown>(partition(context), branchOf(context, name), ids, request),
    )
  pages.set(key, loader)
  return loader.load(instanceId) as Promise<Page<Row>>
}

/** How many rows the branch has below an instance. */
export function countBranch(context: Context, name: BranchName, instanceId: string): Promise<number> {
  const { counts } = loadersOf(context)
  const loader =
    counts.get(name) ??
    new DataLoader<string, number>((ids) => countBranches(partition(context), branchOf(context, name), ids))
  counts.set(name, loader)
  return loader.load(instanceId)
}

export function branchOf(context: Context, name: BranchName): Branch {
  switch (name) {
    case 'trail':
      return trailOf
    case 'history':
      return historyOf
    case 'children':
      return childrenOf(visibleTo(readerOf(context)))
  }
}

/** Forgets what was loaded: a mutation that follows another in the same operation must see what that one did. */
export function forgetLoaded(context: Context): void {
  const { definition, instance, visibleInstance, nodeInstance, task, bookmarks, ownSteps, pages, counts } =
    loadersOf(context)
  for (const loader of [definition, instance, visibleInstance, nodeInstance, task, bookmarks, ownSteps])
    loader.clearAll()
  pages.clear()
  counts.clear()
}

function byId<Row extends { id: string }>(read: (ids: string[]) => Promise<Row[]>): DataLoader<string, Row | null> {
  return new DataLoader(async (ids) => {
    // An id that is no UUID is the id of nothing; the database would call it an error.
    const known = ids.filter(isUuid)
    const rows = known.length === 0 ? [] : await read(known)
    const found = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => found.get(id.toLowerCase()) ?? null)
  })
}
