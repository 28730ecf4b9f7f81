// In an application of your own the import is 'countersign'.
import { defineWorkflow } from '../../src/index.js'

/** A claim: the manager answers it, large ones finance too, and what is approved is booked. */
export const expenseClaim = defineWorkflow('expense.claim')
  .displayName('Expense claim')
  .variable('claimId', { required: true })
  .variable('amount', { required: true })
  .start()
  .to('manager')
  .userTask(
    'manager',
    {
      AssigneeRules: [{ type: 'ManagerOf', values: ['{{ employee }}'] }],
      Title: 'Expense of {{ amount }} by {{ employee }}',
    },
    { timeout: { days: 3 } },
  )
  .to('route')
  .decision('route')
  .to('finance', { when: "outcome == 'approved' && amount > 1000" })
  .to('book', { when: "outcome == 'approved'", priority: 1 })
  .otherwise('rejected')
  .userTask('finance', { Assignees: ['group:finance'] })
  .to('book', { when: "outcome == 'approved'" })
  .otherwise('rejected')
  .activity('BookExpense', 'book', { Account: 'travel' })
  .to('approved')
  .end('approved', { Outcome: 'approved' })
  .end('rejected', { Outcome: 'rejected' })
  .build()
