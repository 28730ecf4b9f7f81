import process from 'node:process'

// Preloaded into a server process: each SIGUSR2 lets its clock jump to the next of CLOCK_SHIFTS, in milliseconds.
const shifts = (process.env.CLOCK_SHIFTS ?? '').split(',').map(Number)
const trueNow = Date.now
let shift = 0

Date.now = () => trueNow() + shift
globalThis.Date = new Proxy(Date, {
  construct: (real, given) => (given.length === 0 ? new real(real.now()) : new real(...given)),
})

process.on('SIGUSR2', () => {
  shift = shifts.shift() ?? 0
  process.stdout.write(`clock: ${new Date().toISOString()}\n`)
})
