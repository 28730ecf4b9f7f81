import type { Actor } from './engine/command.js'
import type { Refusal } from './engine/model.js'
import { type Handled, handle } from './handle.js'
import { isStorable } from './persistence/text.js'
import type { Runtime } from './runtime.js'

export interface HandOver {
  fromUserId: string
  toUserId: string
  comment: string | null
}

/** Gives all open tasks of one person to another, the oldest first, each in its own transaction. */
export async function handOver(
  runtime: Runtime,
  actor: Actor,
  { fromUserId, toUserId, comment }: HandOver,
): Promise<{ id: string; outcome: Handled | Refusal }[]> {
  if (!isStorable(fromUserId)) return []
  const open = await runtime.database.prisma.bookmark.findMany({
    where: { tenantId: actor.tenantId, kind: 'USER_TASK', key: fromUserId },
    orderBy: [{ createdAt: 'asc' }, { seq: 'asc' }],
    select: { id: true },
  })
  const results: { id: string; outcome: Handled | Refusal }[] = []
  for (const { id } of open) {
    const command = { type: 'handOverTask', taskId: id, fromUserId, toUserId, comment } as const
    results.push({ id, outcome: await handle(runtime, actor, command) })
  }
  return results
}
