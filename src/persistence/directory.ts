import type { Substitution } from '../engine/calls.js'
import type { Transaction } from './transaction.js'

/** SQL that tells whether anybody of the tenant `$1` is absent at the time of a parameter, else now. */
export function absenceAt(time: string): string {
  const at = `coalesce(${time}::timestamptz, clock_timestamp())`
  return `EXISTS (SELECT FROM "Substitute" a WHERE a."tenantId" = $1 AND a."startsAt" <= ${at} AND a."endsAt" > ${at})`
}

/** The people of the groups, in order of their ids. */
export async function membersOf(tx: Transaction, tenantId: string, groups: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "User" WHERE "tenantId" = ${tenantId} AND groups && ${[...groups]}::text[]
    ORDER BY id COLLATE "C"`
  return rows.map(({ id }) => id)
}

/** Whose manager is asked for, and how many levels up. */
export interface ManagerOf {
  person: string
  levels: number
}

/** The managers so many levels above these people; nobody where the line ends before that. */
export async function managersOf(tx: Transaction, tenantId: string, asked: readonly ManagerOf[]): Promise<string[]> {
  const items = JSON.stringify(asked.map((item, ord) => ({ ...item, ord })))
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE up AS (
      SELECT s.ord, s.levels, u."managerId" AS id, 1 AS level
      FROM json_to_recordset(${items}::json) AS s(ord int, person text, levels int)
      JOIN "User" u ON u."tenantId" = ${tenantId} AND u.id = s.person
      UNION ALL
      SELECT up.ord, up.levels, u."managerId", up.level + 1
      FROM up JOIN "User" u ON u."tenantId" = ${tenantId} AND u.id = up.id
      WHERE up.level < up.levels
    )
    SELECT m.id FROM up JOIN "User" m ON m."tenantId" = ${tenantId} AND m.id = up.id
    WHERE up.level = up.levels ORDER BY up.ord`
  return rows.map(({ id }) => id)
}

/**
 * Who leads a group: those of its members who manage other members and are not themselves managed by a member; where
 * nobody within it manages anybody, those whom its members report to.
 */
export async function managersOfGroup(tx: Transaction, tenantId: string, group: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH members AS (
      SELECT id, "managerId" FROM "User" WHERE "tenantId" = ${tenantId} AND groups @> ARRAY[${group}]::text[]
    ), heads AS (
      SELECT m.id FROM members m
      WHERE EXISTS (SELECT FROM members r WHERE r."managerId" = m.id AND r.id <> m.id)
        AND NOT EXISTS (SELECT FROM members s WHERE s.id = m."managerId" AND s.id <> m.id)
    )
    SELECT id COLLATE "C" AS id FROM heads
    UNION
    SELECT u.id COLLATE "C" FROM members m JOIN "User" u ON u."tenantId" = ${tenantId} AND u.id = m."managerId"
    WHERE NOT EXISTS (SELECT FROM heads)
    ORDER BY id`
  return rows.map(({ id }) => id)
}

/** Those of the people who are absent, each with the end of the chain of substitutes: at most three, and no circle. */
export function substitutesOf(
  tx: Transaction,
  tenantId: string,
  people: readonly string[],
  now: Date,
): Promise<Substitution[]> {
  return tx.$queryRaw<Substitution[]>`
    WITH RECURSIVE active AS (
      SELECT DISTINCT ON ("userId") "userId", "substituteId" FROM "Substitute"
      WHERE "tenantId" = ${tenantId} AND "startsAt" <= ${now}::timestamptz AND "endsAt" > ${now}::timestamptz
      ORDER BY "userId", seq DESC
    ), chain AS (
      SELECT p.id AS "userId", a."substituteId", 1 AS length, ARRAY[p.id, a."substituteId"] AS path
      FROM unnest(${[...people]}::text[]) AS p(id) JOIN active a ON a."userId" = p.id
      UNION ALL
      SELECT c."userId", a."substituteId", c.length + 1, c.path || a."substituteId"
      FROM chain c JOIN active a ON a."userId" = c."substituteId"
      WHERE c.length < 3 AND a."substituteId" <> ALL (c.path)
    )
    SELECT DISTINCT ON ("userId") "userId", "substituteId" FROM chain ORDER BY "userId", length DESC`
}
