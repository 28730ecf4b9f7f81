import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../../clients/web/src/i18n/', import.meta.url)

/** The keys of a catalog with the names that its sentences are filled with. */
function shapeOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [`${path} ${[...value.matchAll(/\{\{\w+\}\}/g)].map(String).sort().join(' ')}`]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, part]) => shapeOf(part, `${path}.${key}`))
}

const areas = readdirSync(new URL('en/', folder))
const read = (language: string, area: string): unknown =>
  JSON.parse(readFileSync(new URL(`${language}/${area}`, folder), 'utf8'))

it('says every area in both languages', () => {
  expect(areas.length).toBeGreaterThan(3)
  expect(readdirSync(new URL('zh/', folder))).toEqual(areas)
})

it.each(areas)('%s: says everything in Chinese that it says in English, with the same arguments', (area) => {
  expect(shapeOf(read('zh', area)).sort()).toEqual(shapeOf(read('en', area)).sort())
})
