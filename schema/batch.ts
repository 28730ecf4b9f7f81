import { isRefusal, type Refusal } from '../src/engine/model.js'
import type { Context } from './context.js'
import { invalid, refusalError } from './errors.js'

/** The most items that one batch may have. */
export const maxBatch = 100

/** What became of one item of a batch: a value or a refusal. */
export interface ItemResult<Value> {
  id: string
  value: Value | null
  error: Refusal | null
}

/**
 * Carries out a batch item by item, in order, each in its own transaction. The second of two items with one id is refused.
 * @throws GraphQLError WORKFLOW_VALIDATION_002 for more than 100 items; nothing is carried out then
 */
export async function eachItem<Item, Value>(
  context: Context,
  items: readonly Item[],
  idOf: (item: Item) => string,
  carryOut: (item: Item) => Promise<Value | Refusal>,
): Promise<ItemResult<Value>[]> {
  if (items.length > maxBatch)
    throw refusalError(context, invalid('workflow.batch.too_many', { count: items.length, max: maxBatch }))
  const seen = new Set<string>()
  const results: ItemResult<Value>[] = []
  for (const item of items) {
    const id = idOf(item)
    const result = seen.has(id.toLowerCase()) ? invalid('workflow.batch.duplicate', { id }) : await carryOut(item)
    seen.add(id.toLowerCase())
    results.push(itemResult(id, result))
  }
  return results
}

/** What became of one item: its value, or why it was refused. */
export function itemResult<Value>(id: string, outcome: Value | Refusal): ItemResult<Value> {
  return isRefusal(outcome) ? { id, value: null, error: outcome } : { id, value: outcome, error: null }
}
