import type { Prisma, PrismaClient } from '../generated/prisma/client.js'

/** One tenant's part of the database: the only way in which the read side reaches it. */
export interface Partition {
  /** '' is the platform partition. */
  readonly tenantId: string
  /** A client whose every query is confined to the partition; it only reads and updates. */
  readonly orm: PrismaClient
  /**
   * Runs one raw statement.
   * @throws Error when the statement does not name the partition's tenant among its parameters
   */
  rows<Row>(statement: Prisma.Sql): Promise<Row[]>
}

/** Opens a tenant's partition on a client; costs no statement. */
export function openPartition(prisma: PrismaClient, tenantId: string): Partition {
  let confined: PrismaClient | null = null
  return {
    tenantId,
    get orm() {
      confined ??= confine(prisma, tenantId)
      return confined
    },
    async rows<Row>(statement: Prisma.Sql) {
      if (!statement.values.includes(tenantId)) throw new Error('a raw statement must name its tenant')
      return await prisma.$queryRaw<Row[]>(statement)
    },
  }
}

const confinable: ReadonlySet<string> = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
  'updateMany',
])

function confine(prisma: PrismaClient, tenantId: string): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ operation, args, query }) {
          if (!confinable.has(operation)) throw new Error(`${operation} is not confined to a partition`)
          const { where, ...rest } = args as { where?: object }
          // Last, so that no caller's own tenantId can win.
          return query({ ...rest, where: { ...where, tenantId } } as never)
        },
      },
    },
  })
  // The extension changes what is asked, not the shape of what is answered.
  return extended as unknown as PrismaClient
}
