import { uuidv7 } from 'uuidv7'
import { placeSchedule } from './definitionSchedule.js'
import type { Actor } from './engine/command.js'
import { readDefinition } from './engine/definition/read.js'
import { serializeDefinition } from './engine/definition/serialize.js'
import { type KnownTypes, validateDefinition } from './engine/definition/validate.js'
import {
  type DefinitionContent,
  type DefinitionStatus,
  type Issue,
  isRefusal,
  type JsonObject,
  type Refusal,
  refusal,
} from './engine/model.js'
import { formIssues } from './forms.js'
import type { Definition } from './generated/prisma/client.js'
import { recordDefinitionEvent } from './persistence/definitionEvents.js'
import {
  type DefinitionColumns,
  deleteDraft,
  findLatest,
  insertDefinition,
  lockDefinition,
  lockDefinitionName,
  updateDefinitionContent,
  updateDefinitionStatus,
} from './persistence/definitions.js'
import { searchText, titleKey } from './persistence/search.js'
import { joinOrBegin, type Transaction } from './persistence/transaction.js'
import type { Runtime } from './runtime.js'

/** Creates a draft: version = the highest of its name in the partition + 1. */
export async function createDefinition(
  runtime: Runtime,
  actor: Actor,
  document: unknown,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  const read = readDefinition(document)
  if (!read.ok) return read.refusal
  return joinOrBegin(runtime.database, tx, (tx) => insertDraft(runtime, tx, actor.tenantId, read.content))
}

/** Replaces the content of a draft; name, version and partition stay. */
export async function updateDefinition(
  runtime: Runtime,
  actor: Actor,
  id: string,
  document: unknown,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  const read = readDefinition(document)
  if (!read.ok) return read.refusal
  return joinOrBegin(runtime.database, tx, async (tx) => {
    const row = await lock(tx, actor.tenantId, id, ['DRAFT'])
    if (isRefusal(row)) return row
    const content = { ...read.content, name: row.name }
    const identity = {
      id,
      version: row.version,
      status: row.status,
      tenantId: tenantOf(row),
      createdAt: row.createdAt,
      publishedAt: null,
    }
    return updateDefinitionContent(tx, row, columnsOf(content, identity))
  })
}

/** Copies the latest version of a name into a new draft. */
export function newDefinitionVersion(
  runtime: Runtime,
  actor: Actor,
  name: string,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  return joinOrBegin(runtime.database, tx, async (tx) => {
    const latest = await findLatest(tx, actor.tenantId, name)
    if (!latest) return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_found', { id: name })
    const read = readDefinition(latest.document)
    return read.ok ? insertDraft(runtime, tx, actor.tenantId, read.content) : read.refusal
  })
}

/** Publishes a draft; refused with all problems where it is not valid. */
export function publishDefinition(
  runtime: Runtime,
  actor: Actor,
  id: string,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  return transition({ runtime, actor, tx }, id, 'PUBLISHED', ['DRAFT'], (row) => invalid(issuesOf(runtime, row)))
}

/** Takes a published version out of use: nothing starts it any more; what runs goes on. */
export function disableDefinition(
  runtime: Runtime,
  actor: Actor,
  id: string,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  return transition({ runtime, actor, tx }, id, 'DISABLED', ['PUBLISHED'])
}

/** Archives a version of any state. */
export function archiveDefinition(
  runtime: Runtime,
  actor: Actor,
  id: string,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  return transition({ runtime, actor, tx }, id, 'ARCHIVED', ['DRAFT', 'PUBLISHED', 'DISABLED', 'ARCHIVED'])
}

/** Deletes a draft. */
export function deleteDefinition(
  runtime: Runtime,
  actor: Actor,
  id: string,
  tx?: Transaction,
): Promise<Definition | Refusal> {
  return joinOrBegin(runtime.database, tx, async (tx) => {
    const row = await lock(tx, actor.tenantId, id, ['DRAFT'])
    return isRefusal(row) ? row : deleteDraft(tx, row)
  })
}

/** All problems of a document, those of its form before those of its meaning. */
export function validateDocument(runtime: Runtime, document: unknown): Issue[] {
  const read = readDefinition(document)
  if (!read.ok)
    return (
      read.refusal.violations ?? [
        { severity: 'ERROR', path: '$', messageKey: read.refusal.messageKey, arguments: read.refusal.arguments },
      ]
    )
  const { content, issues } = read
  return [...issues, ...validateDefinition(content, knownTypes(runtime)), ...formIssues(content.nodes)]
}

/** The problems of a stored definition. */
export function issuesOf(runtime: Runtime, row: Pick<Definition, 'document'>): Issue[] {
  return validateDocument(runtime, row.document)
}

function knownTypes({ registry }: Runtime): KnownTypes {
  return {
    activity: (type) => registry.activities.get(type),
    assigneeRule: (type) => registry.assigneeRules.has(type),
  }
}

function invalid(issues: Issue[]): Refusal | null {
  const violations = issues.filter((issue) => issue.severity === 'ERROR')
  if (violations.length === 0) return null
  return {
    ...refusal('WORKFLOW_VALIDATION_001', 'workflow.definition.invalid', { count: violations.length }),
    violations,
  }
}

async function insertDraft(
  runtime: Runtime,
  tx: Transaction,
  tenantId: string,
  content: DefinitionContent,
): Promise<Definition> {
  const version = (await lockDefinitionName(tx, tenantId, content.name)) + 1
  const id = uuidv7()
  const createdAt = new Date(runtime.clock?.now() ?? Date.now())
  const identity = {
    id,
    version,
    status: 'DRAFT',
    tenantId: tenantId === '' ? null : tenantId,
    createdAt,
    publishedAt: null,
  } as const
  return insertDefinition(tx, { tenantId, id, version, createdAt }, columnsOf(content, identity))
}

function transition(
  { runtime, actor, tx }: { runtime: Runtime; actor: Actor; tx: Transaction | undefined },
  id: string,
  status: DefinitionStatus,
  from: DefinitionStatus[],
  check: (row: Definition) => Refusal | null = () => null,
): Promise<Definition | Refusal> {
  return joinOrBegin(runtime.database, tx, async (tx) => {
    const row = await lock(tx, actor.tenantId, id, from)
    if (isRefusal(row)) return row
    const refused = check(row)
    if (refused) return refused
    if (row.status === status) return row
    const at = new Date(runtime.clock?.now() ?? Date.now())
    const publishedAt = status === 'PUBLISHED' ? at : row.publishedAt
    const read = readDefinition(row.document)
    if (!read.ok) return read.refusal
    const identity = {
      id,
      version: row.version,
      status,
      tenantId: tenantOf(row),
      createdAt: row.createdAt,
      publishedAt,
    }
    const data = { status, publishedAt, document: documentOf(read.content, identity) }
    await recordDefinitionEvent(tx, { definition: row, status, actorId: actor.userId, at })
    const changed = await updateDefinitionStatus(tx, row, data)
    await placeSchedule(runtime, tx, actor.tenantId, row.name)
    return changed
  }).then((outcome) => {
    if (!isRefusal(outcome) && !tx) runtime.wake()
    return outcome
  })
}

/** Locks a definition of the partition and checks that its state allows the operation. */
async function lock(
  tx: Transaction,
  tenantId: string,
  id: string,
  allowed: DefinitionStatus[],
): Promise<Definition | Refusal> {
  const row = await lockDefinition(tx, tenantId, id)
  if (!row) return refusal('WORKFLOW_NOTFOUND_001', 'workflow.definition.not_found', { id })
  if (allowed.includes(row.status)) return row
  return refusal('WORKFLOW_CONFLICT_002', `workflow.definition.is_${row.status.toLowerCase()}`, { status: row.status })
}

interface Identity {
  id: string
  version: number
  status: DefinitionStatus
  tenantId: string | null
  createdAt: Date
  publishedAt: Date | null
}

function documentOf(content: DefinitionContent, identity: Identity): JsonObject {
  return serializeDefinition(content, {
    ...identity,
    createdAt: identity.createdAt.getTime(),
    publishedAt: identity.publishedAt?.getTime() ?? null,
  })
}

function columnsOf(content: DefinitionContent, identity: Identity): DefinitionColumns {
  const title = content.displayName ?? content.name
  return {
    name: content.name,
    title,
    titleKey: titleKey(title),
    displayName: content.displayName,
    description: content.description,
    category: content.category,
    searchText: searchText(content.name, content.displayName, content.description),
    document: documentOf(content, identity),
  }
}

function tenantOf(row: Definition): string | null {
  return row.tenantId === '' ? null : row.tenantId
}
