import { describe, expect, it } from 'vitest'
import { contentOf } from '../../clients/web/src/definitions/content.js'
import { locate } from '../../clients/web/src/definitions/locate.js'
import { changesOf, isObjectText } from '../../clients/web/src/instance/changes.js'
import { faultedFirst } from '../../clients/web/src/operate/faultedFirst.js'

describe('the place of a problem', () => {
  const text = JSON.stringify(
    { name: 'x', nodes: [{ id: 'a' }, { id: 'b', properties: { Cron: '* *', 'a.b': [1, 2] } }] },
    null,
    2,
  )
  const at = (path: string) => {
    const { from, to } = locate(text, path)
    return text.slice(from, to)
  }

  it('is found through members and items', () => {
    expect(at('$.name')).toBe('"x"')
    expect(at('$.nodes[1].properties.Cron')).toBe('"* *"')
  })

  it('is found where names hold dots', () => {
    expect(at('$.nodes[1].properties.a.b[1]')).toBe('2')
  })

  it('is what would hold it where it does not exist', () => {
    expect(locate(text, '$.nodes[0].activityType').from).toBe(text.indexOf('{', 2))
    expect(at('$.nodes[7]')).toBe('[')
    expect(at('$')).toBe('{')
  })

  it('is the beginning of an empty text', () => {
    expect(locate('', '$.nodes[0]')).toEqual({ from: 0, to: 0 })
  })
})

it('sets only the variables that differ and removes those that are gone', () => {
  expect(changesOf({ a: 1, b: { c: [1] }, d: null }, { a: 2, b: { c: [1] }, e: null })).toEqual({
    set: { a: 2, e: null },
    remove: ['d'],
  })
  expect([isObjectText('{"a":1}'), isObjectText('[1]'), isObjectText('{'), isObjectText('null')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

it('compares what versions say, not what they are', () => {
  const one = { id: '1', version: 1, status: 'DRAFT', name: 'x', nodes: [] }
  expect(contentOf(one)).toBe(contentOf(JSON.stringify({ ...one, id: '2', version: 2, status: 'PUBLISHED' })))
  expect(contentOf({ ...one, name: 'y' })).not.toBe(contentOf(one))
  expect(contentOf('{ half')).toBe('{ half')
})

describe('a list with the faulted first', () => {
  const rows = { faulted: ['f1', 'f2', 'f3'], others: ['o1', 'o2'] }
  const read = async (group: 'faulted' | 'others', first: number, after: string | null) => {
    const start = after === null ? 0 : Number(after)
    const part = rows[group].slice(start, start + first)
    return {
      rows: part,
      endCursor: part.length > 0 ? String(start + part.length) : null,
      hasMore: start + part.length < rows[group].length,
      eventCursor: group,
    }
  }

  it.each([1, 2, 3, 4, 10])('gives every row once, in pages of %i', async (first) => {
    const seen: string[] = []
    let after: string | null = null
    for (let more = true; more; ) {
      const page: Awaited<ReturnType<typeof faultedFirst<string, never>>> = await faultedFirst<string, never>(read, {
        first,
        after,
      })
      if ('failure' in page) throw new Error('refused')
      expect(page.rows.length).toBeLessThanOrEqual(first)
      seen.push(...page.rows)
      after = page.endCursor
      more = page.hasMore
    }
    expect(seen).toEqual([...rows.faulted, ...rows.others])
  })

  it('goes on in the event log from before the first reading', async () => {
    expect(await faultedFirst(read, { first: 10, after: null })).toMatchObject({ eventCursor: 'faulted' })
  })

  it('hands a refusal on', async () => {
    expect(await faultedFirst(async () => ({ failure: 'no' }), { first: 1, after: null })).toEqual({ failure: 'no' })
  })
})
