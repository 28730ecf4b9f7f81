import { isRefusal } from '../engine/model.js'
import { handleInternal } from '../handle.js'
import {
  dropNotice,
  dropReports,
  type Ending,
  findEndings,
  findReportedParents,
  findUnended,
  type Item,
  postponeNotices,
} from '../persistence/children.js'
import type { Runtime } from '../runtime.js'

/**
 * Does what instances have left for their parents and children: parents take the reports of children that ended,
 * children end with their parent. Each instance in a transaction of its own, so that never two are locked at once.
 * @returns how many it dealt with; 0 when nothing is left to do now
 */
export async function takeChildNotices(runtime: Runtime, limit: number): Promise<number> {
  const { prisma } = runtime.database
  const now = runtime.clock?.now() ?? null
  let taken = 0
  await dropReports(prisma)
  for (const parent of await findReportedParents(prisma, now, limit))
    if (await guarded(runtime, parent, now, () => takeReports(runtime, parent))) taken += 1
  for (const ending of await findEndings(prisma, now, limit))
    if (await guarded(runtime, ending, now, () => endChildren(runtime, ending, limit))) taken += 1
  return taken
}

/** What fails is put off, so that it neither stops nor starves the others. */
async function guarded(
  runtime: Runtime,
  item: Item,
  now: number | null,
  run: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await run()
  } catch (error) {
    runtime.log.error({ err: error, tenant: item.tenantId, id: item.id }, 'a notice of a child failed and is put off')
    const { notResumableBackoff } = runtime.options
    await postponeNotices(runtime.database.prisma, item, now, notResumableBackoff).catch(() => {})
    return false
  }
}

/** A parent that does not run any more keeps its reports until it does. */
async function takeReports(runtime: Runtime, { tenantId, id }: Item): Promise<boolean> {
  return !isRefusal(await handleInternal(runtime, tenantId, { type: 'takeReports', instanceId: id }))
}

/** The word is kept until no child is left: a crash in between only means that the rest end later. */
async function endChildren(runtime: Runtime, ending: Ending, limit: number): Promise<boolean> {
  const type = ending.terminate ? 'terminate' : 'cancel'
  for (;;) {
    const children = await findUnended(runtime.database.prisma, ending, limit)
    for (const instanceId of children)
      await handleInternal(runtime, ending.tenantId, { type, instanceId, reason: ending.reason })
    if (children.length < limit) break
  }
  await dropNotice(runtime.database.prisma, ending)
  return true
}
