import type { Transaction } from '../persistence/transaction.js'

function refuse(): never {
  throw new Error('This run has no database: give testRun a `tx` of your own that answers as yours would.')
}

/** The transaction of a run without a database: whatever is asked of it is an error that says so. */
export const noDatabase: Transaction = {
  $queryRaw: refuse,
  $queryRawUnsafe: refuse,
  $executeRaw: refuse,
  $executeRawUnsafe: refuse,
}
