import { type CompiledDefinition, compileDefinition } from './engine/definition/compile.js'
import { readDefinition } from './engine/definition/read.js'
import { findDefinition } from './persistence/definitions.js'
import type { Transaction } from './persistence/transaction.js'

const limit = 1000

/** Compiled definitions by id; what has been started never changes, so that an entry is never wrong. */
export interface DefinitionCache {
  get(tx: Transaction, tenantId: string, id: string): Promise<CompiledDefinition>
}

/** A cache that forgets what was used longest ago. */
export function createDefinitionCache(): DefinitionCache {
  const known = new Map<string, CompiledDefinition>()
  return {
    async get(tx, tenantId, id) {
      const key = `${tenantId}/${id}`
      const compiled = known.get(key) ?? (await compile(tx, tenantId, id))
      known.delete(key)
      known.set(key, compiled)
      const oldest = known.keys().next()
      if (known.size > limit && !oldest.done) known.delete(oldest.value)
      return compiled
    },
  }
}

async function compile(tx: Transaction, tenantId: string, id: string): Promise<CompiledDefinition> {
  const row = await findDefinition(tx, tenantId, id)
  const read = row ? readDefinition(row.document) : null
  if (!read?.ok) throw new Error(`definition ${id} cannot be read back`)
  return compileDefinition(read.content)
}
