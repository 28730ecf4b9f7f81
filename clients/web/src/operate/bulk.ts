import type { Client, CombinedError } from '@urql/core'
import { cancelMany, migrateMany, resumeMany, retryMany, suspendMany } from './documents'

export type BulkOperation = 'retry' | 'resume' | 'suspend' | 'cancel' | 'migrate'

/** What became of one instance. */
export interface BulkResult {
  id: string
  /** Why it was refused; null when it was not. */
  refusal: string | null
}

export interface BulkGiven {
  reason: string
  version: number | null
}

const batch = 10

/** Carries an operation out on many instances, some at a time, so that it can be seen how far it is. */
export async function runBulk(
  client: Client,
  operation: BulkOperation,
  ids: readonly string[],
  given: BulkGiven,
  onProgress: (results: readonly BulkResult[]) => void,
): Promise<CombinedError | undefined> {
  const results: BulkResult[] = []
  for (let start = 0; start < ids.length; start += batch) {
    const { data, error } = await send(client, operation, ids.slice(start, start + batch), given)
    if (!data) return error
    results.push(...data.results.map((result) => ({ id: result.id, refusal: result.error?.message ?? null })))
    onProgress([...results])
  }
  return undefined
}

function send(client: Client, operation: BulkOperation, ids: string[], given: BulkGiven) {
  const reason = given.reason.trim() || null
  switch (operation) {
    case 'retry':
      return client.mutation(retryMany, { ids })
    case 'resume':
      return client.mutation(resumeMany, { ids })
    case 'suspend':
      return client.mutation(suspendMany, { ids, reason })
    case 'cancel':
      return client.mutation(cancelMany, { ids, reason })
    case 'migrate':
      return client.mutation(migrateMany, { ids, targetVersion: given.version ?? 0 })
  }
}
