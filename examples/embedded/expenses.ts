import { randomUUID } from 'node:crypto'
import { actor, createEngine, type Engine, type EngineSetup, unwrap } from '../../src/index.js'
import { expenseClaim } from './definition.js'
import { extensions } from './extensions.js'

const tables = [
  'CREATE TABLE IF NOT EXISTS employee (id text PRIMARY KEY, manager text NOT NULL)',
  'CREATE TABLE IF NOT EXISTS claim (id uuid PRIMARY KEY, employee text, amount numeric, status text, instance_id uuid)',
  'CREATE TABLE IF NOT EXISTS booking (claim_id uuid PRIMARY KEY, account text, amount numeric)',
]

/** Whoever deploys: the only one who may publish. */
const deployer = actor('deployer', { permissions: ['design'] })

/** An application that keeps claims in tables of its own and lets processes decide on them. */
export class Expenses {
  private constructor(readonly engine: Engine) {}

  static async open(setup: Pick<EngineSetup, 'database' | 'clock'>): Promise<Expenses> {
    const engine = await createEngine({ ...setup, extensions })
    await engine.transaction(async (tx) => {
      for (const table of tables) await tx.$executeRawUnsafe(table)
    })
    const draft = unwrap(await engine.definitions.create(deployer, expenseClaim))
    unwrap(await engine.definitions.publish(deployer, draft.id))
    return new Expenses(engine)
  }

  hire(employee: string, manager: string): Promise<number> {
    return this.engine.transaction((tx) => tx.$executeRaw`INSERT INTO employee VALUES (${employee}, ${manager})`)
  }

  /** Writes the claim and starts its process: what throws in here leaves neither behind. */
  submit(employee: string, amount: number): Promise<string> {
    const claimId = randomUUID()
    return this.engine.transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO claim (id, employee, amount, status)
        VALUES (${claimId}::uuid, ${employee}, ${String(amount)}::numeric, 'open')`
      const { instance } = unwrap(
        await this.engine.start(
          actor(employee),
          {
            name: 'expense.claim',
            variables: { claimId, amount, employee },
            correlationId: claimId,
            reusePolicy: 'REJECT_ACTIVE',
          },
          { tx },
        ),
      )
      if (instance.status === 'FAULTED') throw new Error(`the claim of ${employee} has no way to go`)
      await tx.$executeRaw`UPDATE claim SET instance_id = ${instance.id}::uuid WHERE id = ${claimId}::uuid`
      return claimId
    })
  }

  async statusOf(claimId: string): Promise<string | undefined> {
    const [row] = await this.engine.transaction(
      (tx) => tx.$queryRaw<{ status: string }[]>`SELECT status FROM claim WHERE id = ${claimId}::uuid`,
    )
    return row?.status
  }

  /** Approves the task that this person has in the matter, alone or through a group. */
  async approve(userId: string, claimId: string, groups: string[] = []): Promise<void> {
    const person = actor(userId, { groups })
    const keys = [userId, ...groups.map((group) => `group:${group}`)]
    const [claim] = await this.engine.transaction(
      (tx) => tx.$queryRaw<{ instanceId: string }[]>`
        SELECT instance_id AS "instanceId" FROM claim WHERE id = ${claimId}::uuid`,
    )
    const tasks = await this.engine.tasks.open(person, { instanceId: claim?.instanceId ?? '' })
    const task = tasks.find(({ assigneeId }) => keys.includes(assigneeId))
    unwrap(await this.engine.tasks.approve(person, { taskId: task?.id ?? '' }))
  }
}
