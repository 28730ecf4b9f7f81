import { uuidv7 } from 'uuidv7'
import type { StartCommand } from './engine/command.js'
import { isRefusal, type Json, type Refusal } from './engine/model.js'
import type { DefinitionRef } from './persistence/definitions.js'
import { isUuid } from './persistence/text.js'
import { definitionNotFound, invalid, objectOrNull } from './refusals.js'

/** What a caller says of an instance that shall start. */
export interface StartRequest {
  /** The definition by its name, and by its version unless it is the newest published one … */
  name?: string | null | undefined
  version?: number | null | undefined
  /** … or one version of it by its id. */
  definitionId?: string | null | undefined
  /** An object. */
  variables?: Json | undefined
  /** The business key: signals and reuse go by it. */
  correlationId?: string | null | undefined
  /** The title; else that of the definition. */
  displayName?: string | null | undefined
  /** When it shall begin: until then it waits at its start. A time that has passed is now. */
  startAt?: Date | null | undefined
  /** The id that the instance shall have: a UUID; else a new one. */
  instanceId?: string | null | undefined
}

/** Reads a request to start. @returns what `handle` takes, or the refusal of what does not go together */
export function readStart(
  request: StartRequest,
  starterId: string,
): { definition: DefinitionRef; command: StartCommand } | Refusal {
  const definition = chosenDefinition(request)
  if (isRefusal(definition)) return definition
  const variables = objectOrNull('variables', request.variables)
  if (isRefusal(variables)) return variables
  const { instanceId } = request
  if (instanceId !== null && instanceId !== undefined && !isUuid(instanceId))
    return invalid('workflow.instance.id_invalid', { id: instanceId })
  const command: StartCommand = {
    type: 'start',
    instanceId: instanceId?.toLowerCase() ?? uuidv7(),
    variables: variables ?? {},
    starterId,
    correlationId: request.correlationId ?? null,
    displayName: request.displayName ?? null,
    startAt: request.startAt?.getTime() ?? null,
  }
  return { definition, command }
}

function chosenDefinition({ name, version, definitionId }: StartRequest): DefinitionRef | Refusal {
  const byId = definitionId !== null && definitionId !== undefined
  const byName = name !== null && name !== undefined
  if (byId === byName || (byId && version !== null && version !== undefined))
    return invalid('workflow.instance.definition_choice_invalid')
  if (byName) return { name, version: version ?? null }
  return byId && isUuid(definitionId) ? { definitionId } : definitionNotFound(definitionId ?? '')
}
