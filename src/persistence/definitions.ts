import type { DefinitionStatus } from '../engine/model.js'
import type { Definition } from '../generated/prisma/client.js'
import { absenceAt } from './directory.js'
import type { Transaction } from './transaction.js'

/** How a definition is named on starting: the newest published version unless one is given. */
export type DefinitionRef = { name: string; version: number | null } | { definitionId: string }

/** A definition that may be started, with the database's clock. */
export interface Startable {
  id: string
  version: number
  /** Epoch milliseconds. */
  now: number
  /** Whether anybody of the partition is absent now. */
  absences: boolean
}

const startable = (where: string) => `
SELECT id, version, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, ${absenceAt('$2')} AS absences
FROM "Definition"
WHERE "tenantId" = $1 AND status = 'PUBLISHED' AND ${where}
ORDER BY version DESC LIMIT 1`

const byId = startable('id = $3::uuid')
const byName = startable('name = $3 AND ($4::int IS NULL OR version = $4::int)')

/**
 * Finds the published definition to start, in one statement.
 * @param time of a clock that is moved by hand; null for the database's
 */
export async function findStartable(
  tx: Transaction,
  tenantId: string,
  ref: DefinitionRef,
  time: Date | null = null,
): Promise<Startable | null> {
  const rows =
    'definitionId' in ref
      ? await tx.$queryRawUnsafe<Startable[]>(byId, tenantId, time, ref.definitionId)
      : await tx.$queryRawUnsafe<Startable[]>(byName, tenantId, time, ref.name, ref.version)
  return rows[0] ?? null
}

export async function findDefinition(tx: Transaction, tenantId: string, id: string): Promise<Definition | null> {
  const [row] = await tx.$queryRaw<Definition[]>`
    SELECT * FROM "Definition" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid`
  return row ?? null
}

/** Finds a definition and keeps it from being changed by others until the transaction ends. */
export async function lockDefinition(tx: Transaction, tenantId: string, id: string): Promise<Definition | null> {
  const [row] = await tx.$queryRaw<Definition[]>`
    SELECT * FROM "Definition" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid FOR UPDATE`
  return row ?? null
}

/** The version of a name that was made last, whatever its state. */
export async function findLatest(tx: Transaction, tenantId: string, name: string): Promise<Definition | null> {
  const [row] = await tx.$queryRaw<Definition[]>`
    SELECT * FROM "Definition" WHERE "tenantId" = ${tenantId} AND name = ${name} ORDER BY version DESC LIMIT 1`
  return row ?? null
}

/** What a definition holds beside its key, version and times; the texts for lists and search are made of it. */
export type DefinitionColumns = Pick<
  Definition,
  'name' | 'title' | 'titleKey' | 'displayName' | 'description' | 'category' | 'searchText'
> & { document: object }

/** Writes a new draft. */
export async function insertDefinition(
  tx: Transaction,
  key: { tenantId: string; id: string; version: number; createdAt: Date },
  columns: DefinitionColumns,
): Promise<Definition> {
  const { name, title, titleKey, displayName, description, category, searchText, document } = columns
  const [row] = await tx.$queryRaw<Definition[]>`
    INSERT INTO "Definition" ("tenantId", id, version, status, "createdAt", name, title, "titleKey", "displayName",
      description, category, "searchText", document)
    VALUES (${key.tenantId}, ${key.id}::uuid, ${key.version}, 'DRAFT', ${key.createdAt.toISOString()}::timestamptz,
      ${name}, ${title}, ${titleKey}, ${displayName}, ${description}, ${category}, ${searchText},
      ${JSON.stringify(document)}::json)
    RETURNING *`
  return written(row)
}

/** Replaces what a draft holds. */
export async function updateDefinitionContent(
  tx: Transaction,
  { tenantId, id }: Pick<Definition, 'tenantId' | 'id'>,
  columns: DefinitionColumns,
): Promise<Definition> {
  const { title, titleKey, displayName, description, category, searchText, document } = columns
  const [row] = await tx.$queryRaw<Definition[]>`
    UPDATE "Definition" SET title = ${title}, "titleKey" = ${titleKey}, "displayName" = ${displayName},
      description = ${description}, category = ${category}, "searchText" = ${searchText},
      document = ${JSON.stringify(document)}::json
    WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND status = 'DRAFT' RETURNING *`
  return written(row)
}

/** Moves a locked definition to another state. */
export async function updateDefinitionStatus(
  tx: Transaction,
  { tenantId, id, status: before }: Pick<Definition, 'tenantId' | 'id' | 'status'>,
  { status, publishedAt, document }: { status: DefinitionStatus; publishedAt: Date | null; document: object },
): Promise<Definition> {
  const at = publishedAt?.toISOString() ?? null
  const [row] = await tx.$queryRaw<Definition[]>`
    UPDATE "Definition" SET status = ${status}::"DefinitionStatus", "publishedAt" = ${at}::timestamptz,
      document = ${JSON.stringify(document)}::json
    WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND status = ${before}::"DefinitionStatus" RETURNING *`
  return written(row)
}

/** Removes a locked draft. */
export async function deleteDraft(
  tx: Transaction,
  { tenantId, id }: Pick<Definition, 'tenantId' | 'id'>,
): Promise<Definition> {
  const [row] = await tx.$queryRaw<Definition[]>`
    DELETE FROM "Definition" WHERE "tenantId" = ${tenantId} AND id = ${id}::uuid AND status = 'DRAFT' RETURNING *`
  return written(row)
}

/** The row was locked before: not to find it any more is a mistake of ours. */
function written(row: Definition | undefined): Definition {
  if (!row) throw new Error('a definition changed under its lock')
  return row
}

/** The ids of the newest published version of every definition of the partition. */
export function newestPublished(tx: Transaction, tenantId: string): Promise<{ id: string }[]> {
  return tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (name) id FROM "Definition" WHERE "tenantId" = ${tenantId} AND status = 'PUBLISHED'
    ORDER BY name, version DESC`
}

/** The newest published version of one definition name. */
export async function newestPublishedOf(
  tx: Transaction,
  tenantId: string,
  name: string,
): Promise<{ id: string } | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Definition" WHERE "tenantId" = ${tenantId} AND name = ${name} AND status = 'PUBLISHED'
    ORDER BY version DESC LIMIT 1`
  return row ?? null
}

/** Serializes writers of one definition name in the partition until the transaction ends, and answers its highest version. */
export async function lockDefinitionName(tx: Transaction, tenantId: string, name: string): Promise<number> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`definition/${tenantId}/${name}`}, 0))::text`
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT coalesce(max(version), 0)::int AS version FROM "Definition" WHERE "tenantId" = ${tenantId} AND name = ${name}`
  return row?.version ?? 0
}
