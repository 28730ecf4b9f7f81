import { uuidv7 } from 'uuidv7'
import type { Actor } from './engine/command.js'
import { type Refusal, refusal } from './engine/model.js'
import type { Substitute } from './generated/prisma/client.js'
import { clearAbsences, deleteAbsence, insertAbsence } from './persistence/absences.js'
import { inTransaction } from './persistence/transaction.js'
import {
  changeMembers,
  missingUsers,
  removeUsers as removeRows,
  upsertUsers as upsertRows,
} from './persistence/users.js'
import type { Runtime } from './runtime.js'

const maxLength = 200
const maxPeople = 1000

/** A person as the directory holds him. */
export interface PersonEntry {
  id: string
  name: string
  email: string | null
  managerId: string | null
  groups: readonly string[]
}

/** Writes people into the directory; one who is there already is replaced whole. All or none of them. */
export async function upsertUsers(
  runtime: Runtime,
  actor: Actor,
  entries: readonly PersonEntry[],
): Promise<string[] | Refusal> {
  const people = entries.map((entry) => ({ ...entry, id: entry.id.trim(), name: entry.name.trim() }))
  const refused = refuseCount(people.length) ?? people.map(refuseEntry).find((one) => one !== null) ?? null
  if (refused) return refused
  const ids = people.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return invalid('workflow.batch.duplicate', { id: twice })
  await inTransaction(runtime.database, (tx) => upsertRows(tx, actor.tenantId, people))
  return ids
}

function refuseEntry({ id, name, email, managerId, groups }: PersonEntry): Refusal | null {
  return (
    refuseId('id', id) ??
    refuseName('name', name) ??
    (email !== null && email.length > maxLength ? refuseName('email', '') : null) ??
    (managerId === null ? null : refuseId('managerId', managerId)) ??
    (managerId === id ? invalid('workflow.user.own_manager', { user: id }) : null) ??
    groups.map((group) => refuseId('groups', group)).find((one) => one !== null) ??
    null
  )
}

/** A comma parts people in a text, and `group:` begins the name of a group. */
function refuseId(argument: string, id: string): Refusal | null {
  if (id !== id.trim() || id.includes(',') || id.startsWith('group:'))
    return invalid('workflow.user.id_invalid', { id })
  return refuseName(argument, id)
}

function refuseName(argument: string, text: string): Refusal | null {
  const fits = text !== '' && text.length <= maxLength
  return fits ? null : invalid('workflow.input.name_invalid', { argument, max: maxLength })
}

function refuseCount(count: number): Refusal | null {
  return count > maxPeople ? invalid('workflow.batch.too_many', { count, max: maxPeople }) : null
}

function invalid(messageKey: string, args: Refusal['arguments']): Refusal {
  return refusal('WORKFLOW_VALIDATION_002', messageKey, args)
}

/** Takes people out of the directory, with what refers to them there; their tasks and their history stay. */
export async function removeUsers(runtime: Runtime, actor: Actor, ids: readonly string[]): Promise<number | Refusal> {
  const refused = refuseCount(ids.length)
  return refused ?? (await inTransaction(runtime.database, (tx) => removeRows(tx, actor.tenantId, ids)))
}

/** Puts people into a group and takes others out. All or none of them. */
export async function changeMembership(
  runtime: Runtime,
  actor: Actor,
  { group, add, remove }: { group: string; add: readonly string[]; remove: readonly string[] },
): Promise<string[] | Refusal> {
  const ids = [...new Set([...add, ...remove])]
  const refused = refuseCount(ids.length) ?? refuseId('group', group)
  if (refused) return refused
  return await inTransaction(runtime.database, async (tx) => {
    const [missing] = await missingUsers(tx, actor.tenantId, ids)
    if (missing !== undefined) return invalid('workflow.user.not_found', { user: missing })
    await changeMembers(tx, actor.tenantId, group, add, remove)
    return ids
  })
}

export interface Absence {
  userId: string
  substituteId: string
  startsAt: Date
  endsAt: Date
}

/** Names who stands in for a person while he is absent; of several that hold at one moment the newest does. */
export async function setSubstitute(runtime: Runtime, actor: Actor, absence: Absence): Promise<Substitute | Refusal> {
  const { userId, substituteId, startsAt, endsAt } = absence
  const now = new Date(runtime.clock?.now() ?? Date.now())
  const refused = refuseId('userId', userId) ?? refuseId('substituteId', substituteId)
  if (refused) return refused
  if (userId === substituteId) return invalid('workflow.user.own_substitute', { user: userId })
  if (endsAt <= startsAt || endsAt <= now) return invalid('workflow.user.absence_invalid', {})
  const { tenantId } = actor
  return await inTransaction(runtime.database, async (tx) => {
    await clearAbsences(tx, tenantId, userId, now)
    return await insertAbsence(tx, tenantId, { id: uuidv7(), ...absence })
  })
}

/** Takes an absence back. @returns null where there is none that this person may remove */
export async function removeSubstitute(
  runtime: Runtime,
  actor: Actor,
  id: string,
  userId: string | null,
): Promise<string | null> {
  const removed = await deleteAbsence(runtime.database.prisma, actor.tenantId, id, userId)
  return removed ? id : null
}
