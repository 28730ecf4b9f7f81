import { type Fault, fault, type Json } from './engine/model.js'
import type { AssigneeProvider } from './extensions.js'
import { type ManagerOf, managersOf, managersOfGroup, membersOf } from './persistence/directory.js'

const mostLevels = 10

/** The assignee rules that are answered from the directory, in the transaction of the process. */
export const directoryProviders: readonly AssigneeProvider[] = [
  {
    type: 'Group',
    resolve: ({ tx, instance, values }) => membersOf(tx, instance.tenantId, texts(values)),
  },
  {
    type: 'Manager',
    async resolve({ tx, instance, node, values }) {
      const asked = managersAsked(values, instance.starterId)
      return asked ? await managersOf(tx, instance.tenantId, asked) : invalid(node.id)
    },
  },
  {
    type: 'GroupManager',
    async resolve({ tx, instance, values }) {
      const found: string[] = []
      for (const group of texts(values)) found.push(...(await managersOfGroup(tx, instance.tenantId, group)))
      return found
    },
  },
]

/**
 * Whose manager a rule asks for. A number: so many levels above the starter; a text: the manager of that person;
 * `{ person, levels }`: both; nothing: the starter's own manager.
 * @returns null where a value is none of that
 */
function managersAsked(values: Json, starterId: string | null): ManagerOf[] | null {
  const asked: ManagerOf[] = []
  const list = Array.isArray(values) ? values : [values]
  for (const value of list.length > 0 ? list : [1]) {
    const item = managerAsked(value, starterId)
    if (item === null) return null
    // A start that nobody made has no line to go up.
    if (item.person !== null) asked.push({ ...item, person: item.person })
  }
  return asked
}

function managerAsked(value: Json, starterId: string | null): { person: string | null; levels: number } | null {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { person = starterId, levels = 1, ...others } = value
    const count = Number(levels)
    const isPerson = person === null || typeof person === 'string'
    return Object.keys(others).length === 0 && isPerson && isLevel(count) ? { person, levels: count } : null
  }
  const text = String(value).trim()
  if (!/^\d+$/.test(text)) return text === '' || value === null ? null : { person: text, levels: 1 }
  return isLevel(Number(text)) ? { person: starterId, levels: Number(text) } : null
}

function isLevel(levels: number): boolean {
  return Number.isInteger(levels) && levels >= 1 && levels <= mostLevels
}

function texts(values: Json): string[] {
  return (Array.isArray(values) ? values : [values])
    .flatMap((value) => String(value ?? '').split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function invalid(node: string): Fault {
  return fault('WORKFLOW_VALIDATION_002', 'workflow.assignee.manager_invalid', { node, max: mostLevels })
}
