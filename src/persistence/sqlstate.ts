/** What went wrong in the database, by SQLSTATE: Prisma's own codes differ between the ORM, raw SQL and dead connections. */
export type DatabaseErrorKind =
  | 'serialization'
  | 'deadlock'
  | 'lockTimeout'
  | 'statementTimeout'
  | 'uniqueViolation'
  | 'foreignKeyViolation'
  | 'unavailable'
  | 'other'

const kinds: { [sqlstate: string]: DatabaseErrorKind } = {
  '40001': 'serialization',
  '40P01': 'deadlock',
  '55P03': 'lockTimeout',
  '57014': 'statementTimeout',
  '25P03': 'statementTimeout',
  '23505': 'uniqueViolation',
  '23503': 'foreignKeyViolation',
}

const prismaKinds: { [code: string]: DatabaseErrorKind } = {
  P2002: 'uniqueViolation',
  P2003: 'foreignKeyViolation',
  P2034: 'serialization',
  P1001: 'unavailable',
  P1002: 'unavailable',
  P1008: 'unavailable',
  P1017: 'unavailable',
  P2024: 'unavailable',
  P2028: 'unavailable',
}

const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])

/** Classes an error of the database or of its connection. */
export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  const state = sqlState(error)
  if (state !== null) {
    if (kinds[state]) return kinds[state]
    // Class 08: connection; 57P0x: the server is going away; 53: out of resources.
    return /^(08|57P|53)/.test(state) ? 'unavailable' : 'other'
  }
  const code = field(error, 'code')
  if (typeof code === 'string') {
    if (prismaKinds[code]) return prismaKinds[code]
    if (connectionErrors.has(code)) return 'unavailable'
  }
  const text = error instanceof Error ? error.message : ''
  return /Connection terminated|Can't reach database|ECONNREFUSED|Server has closed the connection|timeout exceeded when trying to connect/i.test(
    text,
  )
    ? 'unavailable'
    : 'other'
}

function sqlState(error: unknown): string | null {
  for (const part of walk(error))
    for (const name of ['originalCode', 'code', 'sqlState']) {
      const value = field(part, name)
      if (typeof value === 'string' && /^[0-9][0-9A-Z]{4}$/.test(value)) return value
    }
  return null
}

/** The error, its causes and what the adapters hide inside them. */
function walk(error: unknown): unknown[] {
  const found: unknown[] = []
  const open = [error]
  while (open.length > 0 && found.length < 20) {
    const part = open.shift()
    if (part === null || typeof part !== 'object' || found.includes(part)) continue
    found.push(part)
    for (const name of ['meta', 'driverAdapterError', 'cause']) open.push(field(part, name))
  }
  return found
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as { [name: string]: unknown })[name] : undefined
}
