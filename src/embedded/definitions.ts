import {
  archiveDefinition,
  createDefinition,
  deleteDefinition,
  disableDefinition,
  newDefinitionVersion,
  publishDefinition,
  updateDefinition,
  validateDocument,
} from '../catalog.js'
import type { Actor } from '../engine/command.js'
import { type Issue, isRefusal, type JsonObject, type Refusal } from '../engine/model.js'
import type { Definition } from '../generated/prisma/client.js'
import { isUuid } from '../persistence/text.js'
import type { Transaction } from '../persistence/transaction.js'
import { definitionNotFound, refuseWithout } from '../refusals.js'
import type { Runtime } from '../runtime.js'
import { type JoinOptions, readInput, txOf } from './operation.js'

/** A version of a definition as embedders see it. */
export type DefinitionFacts = Pick<
  Definition,
  'id' | 'name' | 'version' | 'status' | 'displayName' | 'createdAt' | 'publishedAt'
> & { document: JsonObject }

type Change = (runtime: Runtime, actor: Actor, id: string, tx: Transaction | undefined) => Promise<Definition | Refusal>

/** The life of definitions. Changing them takes `design`. */
export function definitionOperations(runtime: Runtime) {
  const change =
    (apply: Change) =>
    async (actor: Actor, id: string, options: JoinOptions = {}): Promise<DefinitionFacts | Refusal> => {
      const refused = refuseWithout(actor, 'design')
      if (refused) return refused
      return isUuid(id) ? shown(await apply(runtime, actor, id, txOf(options))) : definitionNotFound(id)
    }
  return {
    /** Stores a new draft: the next version of its name. */
    async create(actor: Actor, document: object, options: JoinOptions = {}): Promise<DefinitionFacts | Refusal> {
      const given = readInput(runtime, { document })
      const refused = refuseWithout(actor, 'design') ?? (isRefusal(given) ? given : null)
      if (refused || isRefusal(given)) return refused ?? (given as Refusal)
      return shown(await createDefinition(runtime, actor, given.document, txOf(options)))
    },
    /** Replaces the content of a draft; its name stays. */
    async update(
      actor: Actor,
      id: string,
      document: object,
      options: JoinOptions = {},
    ): Promise<DefinitionFacts | Refusal> {
      const given = readInput(runtime, { document })
      if (isRefusal(given)) return given
      const replace: Change = (_runtime, _actor, draft, tx) =>
        updateDefinition(runtime, actor, draft, given.document, tx)
      return change(replace)(actor, id, options)
    },
    /** Makes a draft of the next version from the newest one. */
    async newVersion(actor: Actor, name: string, options: JoinOptions = {}): Promise<DefinitionFacts | Refusal> {
      const given = readInput(runtime, { name })
      const refused = refuseWithout(actor, 'design') ?? (isRefusal(given) ? given : null)
      return refused ?? shown(await newDefinitionVersion(runtime, actor, name, txOf(options)))
    },
    /** Checks a draft and publishes it. */
    publish: change(publishDefinition),
    /** Keeps a published definition from being started. */
    disable: change(disableDefinition),
    /** Puts a definition away. */
    archive: change(archiveDefinition),
    /** Deletes a draft; answers it as it was. */
    delete: change(deleteDefinition),
    /** All problems of a document, each with its path; warnings do not keep it from being published. */
    validate: (document: object): Issue[] => validateDocument(runtime, document),
  }
}

function shown(row: Definition | Refusal): DefinitionFacts | Refusal {
  if (isRefusal(row)) return row
  const { id, name, version, status, displayName, createdAt, publishedAt, document } = row
  return { id, name, version, status, displayName, createdAt, publishedAt, document: document as JsonObject }
}
