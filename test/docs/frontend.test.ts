import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('the inbox of docs/frontend.md compiles against React and urql', () => {
  const tsc = 'node_modules/typescript7/bin/tsc'
  const run = () => execFileSync(process.execPath, [tsc, '--noEmit', '-p', 'examples/frontend'], { encoding: 'utf8' })
  expect(run()).toBe('')
})
