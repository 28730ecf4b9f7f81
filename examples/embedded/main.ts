// Run it: npx tsx examples/embedded/main.ts
import { Expenses } from './expenses.js'

const expenses = await Expenses.open({ database: process.env.DATABASE_URL ?? 'pglite:memory' })
await expenses.engine.startWorkers()
await expenses.hire('sam', 'mia')
const claimId = await expenses.submit('sam', 1200)
await expenses.approve('mia', claimId)
await expenses.approve('fin', claimId, ['finance'])
console.log(`claim ${claimId} is ${await expenses.statusOf(claimId)}`)
await expenses.engine.close()
