import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { uuidv7 } from 'uuidv7'
import { createDefinition, publishDefinition } from './catalog.js'
import type { Actor, Permission } from './engine/command.js'
import { isRefusal, type JsonObject, type Refusal } from './engine/model.js'
import { handle } from './handle.js'
import { upsertUsers } from './people.js'
import type { Runtime } from './runtime.js'

const examples = fileURLToPath(new URL('../examples/', import.meta.url))

interface DemoPerson {
  id: string
  name: string
  managerId: string | null
  groups: string[]
  /** What the person may do beside answering tasks, in dev mode. */
  permissions?: Permission[]
}

/** The people of the demo; whoever tries it out can be each of them. */
export const demoPeople: DemoPerson[] = [
  { id: 'alice', name: 'Alice Chen', managerId: 'bob', groups: ['staff'] },
  { id: 'bob', name: 'Bob Martin', managerId: 'carol', groups: ['staff', 'managers'] },
  {
    id: 'carol',
    name: 'Carol Weber',
    managerId: null,
    groups: ['staff', 'managers'],
    permissions: ['design', 'operate'],
  },
  { id: 'hr-1', name: 'Hana Sato', managerId: 'carol', groups: ['staff', 'hr'] },
  { id: 'hr-2', name: 'Henri Petit', managerId: 'carol', groups: ['staff', 'hr'] },
  { id: 'hr-3', name: 'Helena Souza', managerId: 'carol', groups: ['staff', 'hr'] },
  { id: 'finance-1', name: 'Feng Li', managerId: 'carol', groups: ['staff', 'finance'] },
]

/** Fills an empty platform partition with people, the leave, expense and purchase processes, and a few running instances. */
export async function seedDemo(runtime: Runtime): Promise<boolean> {
  const { prisma } = runtime.database
  if ((await prisma.definition.count({ where: { tenantId: '' } })) > 0) return false
  const entries = demoPeople.map(({ permissions: _, ...person }) => ({ ...person, email: `${person.id}@example.com` }))
  done(await upsertUsers(runtime, as('carol'), entries))
  for (const name of ['leave', 'expense', 'purchase']) {
    const document: unknown = JSON.parse(await readFile(`${examples}${name}.json`, 'utf8'))
    const draft = done(await createDefinition(runtime, as('carol'), document))
    done(await publishDefinition(runtime, as('carol'), draft.id))
  }
  await start(runtime, 'alice', 'hr.leave', { applicant: 'Alice', days: 2, approvers: 'bob' })
  await start(runtime, 'bob', 'hr.leave', { applicant: 'Bob', days: 5, approvers: 'carol' })
  await start(runtime, 'alice', 'hr.expense', { amount: 128.5 })
  await start(runtime, 'alice', 'purchasing.request', {
    item: 'Standing desk',
    amount: 640,
    reason: 'The old one cannot be raised any more.',
    manager: 'bob',
  })
  return true
}

async function start(runtime: Runtime, starterId: string, name: string, variables: JsonObject): Promise<void> {
  const command = {
    type: 'start',
    instanceId: uuidv7(),
    variables,
    starterId,
    correlationId: null,
    displayName: null,
  } as const
  done(await handle(runtime, as(starterId), command, { definition: { name, version: null } }))
}

function as(userId: string): Actor {
  return { userId, tenantId: '', groups: [], permissions: ['design', 'operate'] }
}

function done<T>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new Error(`the demo could not be written: ${outcome.messageKey}`)
  return outcome
}
