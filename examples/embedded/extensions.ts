import {
  type ApplicationActivity,
  type AssigneeProvider,
  complete,
  type Extensions,
  fail,
  fault,
  type OutcomeHandler,
} from '../../src/index.js'

/** Writes the booking in the transaction that takes the approval: both are there, or neither. */
const bookExpense: ApplicationActivity = {
  type: 'BookExpense',
  category: 'finance',
  properties: [{ name: 'Account', type: 'template', required: true, defaultValue: null }],
  async execute({ tx, variables, render }) {
    const { claimId, amount } = variables
    if (Number(amount) <= 0) return fail(fault('EXPENSES_001', 'expenses.nothing_to_book', { claim: String(claimId) }))
    const account = render('Account')
    await tx.$executeRaw`INSERT INTO booking (claim_id, account, amount)
      VALUES (${claimId}::uuid, ${account}, ${String(amount)}::numeric)`
    return complete({ bookedOn: account })
  },
  async compensate({ tx, variables: { claimId } }) {
    await tx.$executeRaw`DELETE FROM booking WHERE claim_id = ${claimId}::uuid`
    return undefined
  },
}

/** Finds the manager of an employee; that there is none is no reason to ask nobody. */
const managerOf: AssigneeProvider = {
  type: 'ManagerOf',
  async resolve({ tx, values }) {
    const [employee] = values as string[]
    const [row] = await tx.$queryRaw<{ manager: string }[]>`SELECT manager FROM employee WHERE id = ${employee}`
    return row ? [row.manager] : fault('EXPENSES_002', 'expenses.no_manager', { employee: employee ?? '' })
  },
}

/** Writes the result back into the claim before the process ends with it. */
const recordOutcome: OutcomeHandler = async ({ tx, instance, variables: { claimId }, outcome }) => {
  if (instance.definitionName !== 'expense.claim') return undefined
  await tx.$executeRaw`UPDATE claim SET status = ${outcome} WHERE id = ${claimId}::uuid`
  return undefined
}

export const extensions: Extensions = {
  activities: [bookExpense],
  assigneeProviders: [managerOf],
  outcomeHandlers: [recordOutcome],
}
