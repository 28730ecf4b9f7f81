import { Prisma } from '../generated/prisma/client.js'
import { allOf, keyword } from './condition.js'
import type { List } from './page.js'
import { searchText } from './search.js'
import { sequence } from './sort.js'
import { isStorable } from './text.js'
import type { Transaction } from './transaction.js'

/** The people of the directory by name: what a picker shows. */
export function userList(filter: { keyword?: string | null | undefined; group?: string | null | undefined }): List {
  const { group } = filter
  const isMember = Prisma.sql`t."groups" @> array[${group ?? ''}]::text[]`
  return {
    table: 'User',
    where: allOf([
      group === null || group === undefined || !isStorable(group) ? undefined : isMember,
      keyword([Prisma.sql`t."searchText"`], filter.keyword),
    ]),
    keys: [
      { column: { name: 'name', type: 'text', nullable: false }, direction: 'ASC' },
      { column: sequence, direction: 'ASC' },
    ],
  }
}

interface UserRow {
  id: string
  name: string
  email: string | null
  managerId: string | null
  groups: readonly string[]
}

/** Writes people in one statement; those who are there already are replaced. */
export async function upsertUsers(tx: Transaction, tenantId: string, users: readonly UserRow[]): Promise<void> {
  const rows = users.map((user) => ({ ...user, searchText: searchText(user.name, user.id, user.email) }))
  // In one order, so that two writers of the same people wait for each other instead of locking crosswise.
  rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  await tx.$executeRaw`
    INSERT INTO "User" ("tenantId", id, name, email, "managerId", groups, "searchText")
    SELECT ${tenantId}, r.id, r.name, r.email, r."managerId",
      ARRAY(SELECT DISTINCT value FROM json_array_elements_text(r.groups)), r."searchText"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(id text, name text, email text, "managerId" text,
      groups json, "searchText" text)
    ON CONFLICT ("tenantId", id) DO UPDATE SET name = excluded.name, email = excluded.email,
      "managerId" = excluded."managerId", groups = excluded.groups, "searchText" = excluded."searchText"`
}

/** Removes people; nobody reports to them or has them as a substitute any more. */
export async function removeUsers(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<number> {
  const gone = [...ids]
  await tx.$executeRaw`DELETE FROM "Substitute" WHERE "tenantId" = ${tenantId}
    AND ("userId" = ANY (${gone}::text[]) OR "substituteId" = ANY (${gone}::text[]))`
  await tx.$executeRaw`UPDATE "User" SET "managerId" = NULL
    WHERE "tenantId" = ${tenantId} AND "managerId" = ANY (${gone}::text[])`
  return await tx.$executeRaw`DELETE FROM "User" WHERE "tenantId" = ${tenantId} AND id = ANY (${gone}::text[])`
}

/** Those of the ids that the directory does not know. */
export async function missingUsers(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const missing = await tx.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM unnest(${[...ids]}::text[]) AS p(id)
    WHERE NOT EXISTS (SELECT FROM "User" u WHERE u."tenantId" = ${tenantId} AND u.id = p.id)`
  return missing.map(({ id }) => id)
}

/** Puts people into a group and takes others out, in one statement. */
export async function changeMembers(
  tx: Transaction,
  tenantId: string,
  group: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "User" SET groups = CASE WHEN id = ANY (${[...remove]}::text[]) THEN array_remove(groups, ${group})
      ELSE array_append(array_remove(groups, ${group}), ${group}) END
    WHERE "tenantId" = ${tenantId} AND id = ANY (${[...add, ...remove]}::text[])`
}
