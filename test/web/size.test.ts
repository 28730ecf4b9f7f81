import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const dist = new URL('../../clients/web/dist/', import.meta.url)
const most = 300 * 1024

/** What the browser reads before the first page is shown: the entry, and all that it imports at once. */
function firstScripts(): Set<string> {
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  const found = new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path))
  for (const path of found)
    for (const [, name = ''] of read(path).matchAll(
      /(?:^|[;}])import(?:[^'"`();]*?from)?\s*["'`]\.\/([^"'`]+\.js)["'`]/g,
    ))
      found.add(`assets/${name}`)
  return found
}

const read = (path: string) => readFileSync(new URL(path, dist), 'utf8')
const packed = (path: string) => gzipSync(read(path)).length

it('loads less than 300 KB of scripts before the list of tasks is shown, packed', () => {
  const first = firstScripts()
  const list = readdirSync(new URL('assets/', dist)).filter((name) => /^TodoPage-.*\.js$/.test(name))
  expect(list).toHaveLength(1)
  const paths = new Set([...first, ...list.map((name) => `assets/${name}`)])
  for (const path of paths)
    for (const [, name = ''] of read(path).matchAll(/from\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) paths.add(`assets/${name}`)
  expect(paths.size).toBeGreaterThan(3)
  const bytes = [...paths].reduce((sum, path) => sum + packed(path), 0)
  expect(bytes).toBeGreaterThan(50 * 1024)
  expect(bytes).toBeLessThan(most)
})

it('leaves forms and pictures for later', () => {
  const names = [...firstScripts()].join(' ')
  expect(names).not.toMatch(/SchemaForm|ProcessGraph|TaskPage/)
})
