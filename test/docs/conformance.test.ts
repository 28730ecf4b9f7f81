import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('every test that docs/conformance.md names exists', () => {
  const text = readFileSync(`${root}docs/conformance.md`, 'utf8')
  const rows = [...text.matchAll(/^\|.*\| `([\w/.]+\.test\.ts)`(.*) \|$/gm)]
  expect(rows.length).toBeGreaterThan(80)
  const missing = rows.filter(([, file, name = '']) => {
    const path = `${root}test/${file}`
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(name.trim())
  })
  expect(missing.map(([row]) => row)).toEqual([])
})
