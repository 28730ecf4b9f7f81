import type { Definition } from '../generated/prisma/client.js'
import type { Transaction } from './transaction.js'

/** How a definition is named on starting: the newest published version unless one is given. */
export type DefinitionRef = { name: string; version: number | null } | { definitionId: string }

/** A definition that may be started, with the database's clock. */
export interface Startable {
  id: string
  version: number
  /** Epoch milliseconds. */
  now: number
}

const startable = (where: string) => `
SELECT id, version, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now FROM "Definition"
WHERE "tenantId" = $1 AND status = 'PUBLISHED' AND ${where}
ORDER BY version DESC LIMIT 1`

const byId = startable('id = $2::uuid')
const byName = startable('name = $2 AND ($3::int IS NULL OR version = $3::int)')

/** Finds the published definition to start, in one statement. */
export async function findStartable(tx: Transaction, tenantId: string, ref: DefinitionRef): Promise<Startable | null> {
  const rows =
    'definitionId' in ref
      ? await tx.$queryRawUnsafe<Startable[]>(byId, tenantId, ref.definitionId)
      : await tx.$queryRawUnsafe<Startable[]>(byName, tenantId, ref.name, ref.version)
  return rows[0] ?? null
}

export function findDefinition(tx: Transaction, tenantId: string, id: string): Promise<Definition | null> {
  return tx.definition.findUnique({ where: { tenantId_id: { tenantId, id } } })
}

/** The ids of the newest published version of every definition of the partition. */
export function newestPublished(tx: Transaction, tenantId: string): Promise<{ id: string }[]> {
  return tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (name) id FROM "Definition" WHERE "tenantId" = ${tenantId} AND status = 'PUBLISHED'
    ORDER BY name, version DESC`
}

/** The newest published version of one definition name. */
export function newestPublishedOf(tx: Transaction, tenantId: string, name: string): Promise<{ id: string } | null> {
  return tx.definition.findFirst({
    where: { tenantId, name, status: 'PUBLISHED' },
    orderBy: { version: 'desc' },
    select: { id: true },
  })
}

/** Serializes writers of one definition name in the partition until the transaction ends, and answers its highest version. */
export async function lockDefinitionName(tx: Transaction, tenantId: string, name: string): Promise<number> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`definition/${tenantId}/${name}`}, 0))::text`
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT coalesce(max(version), 0)::int AS version FROM "Definition" WHERE "tenantId" = ${tenantId} AND name = ${name}`
  return row?.version ?? 0
}
