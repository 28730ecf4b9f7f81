import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/engine/activities/registry.js'
import { topics } from '../../src/engine/topics.js'
import { locales, negotiateLocale, readCatalog } from '../../src/messages/locales.js'
import { renderMessage } from '../../src/messages/render.js'

const english = readCatalog('en')

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('generated'))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The keys that the source names, the topics of events left out. */
function keysInSource(): string[] {
  const keys = new Set<string>()
  for (const file of [...filesUnder('src'), ...filesUnder('schema')]) {
    const text = readFileSync(file, 'utf8')
    for (const line of text.split('\n')) {
      for (const [, key] of line.matchAll(/'(workflow\.[a-zA-Z_]+\.[a-zA-Z_]+)'/g)) if (key) keys.add(key)
    }
    if (file.includes('definition'))
      for (const [, key] of text.matchAll(/\berror\([^,]+, '([a-z_]+)'/g)) keys.add(`workflow.definition.${key}`)
    for (const [, key] of text.matchAll(/ExpressionError\('([a-z_]+)'/g)) keys.add(`workflow.expression.${key}`)
  }
  return [...keys].filter((key) => !(topics as readonly string[]).includes(key))
}

function argumentsOf(text: string): string[] {
  const names = new Set<string>()
  const walk = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue
      names.add(element.value)
      if (element.type === TYPE.plural || element.type === TYPE.select)
        for (const option of Object.values(element.options)) walk(option.value)
    }
  }
  walk(parse(text, { ignoreTag: true }))
  return [...names].sort()
}

describe('messages', () => {
  it('exist for every key that the source names', () => {
    expect(keysInSource().filter((key) => !(key in english))).toEqual([])
  })

  it('exist for every state, activity and property', () => {
    const status = ['running', 'suspended', 'completed', 'canceled', 'faulted', 'terminated']
    const wanted = status.flatMap((name) => [`workflow.instance.is_${name}`, `workflow.instance_status.${name}`])
    for (const name of ['draft', 'published', 'disabled', 'archived'])
      wanted.push(`workflow.definition.is_${name}`, `workflow.definition_status.${name}`)
    for (const { type, category, properties } of createRegistry().activities.values()) {
      wanted.push(`workflow.activity.${type}.name`, `workflow.activity.${type}.description`)
      wanted.push(`workflow.category.${category}`)
      for (const { name } of properties) wanted.push(`workflow.activity.${type}.${name}`)
    }
    expect(wanted.filter((key) => !(key in english))).toEqual([])
  })

  for (const locale of locales)
    it(`in ${locale} have the same keys and arguments as in English`, () => {
      const catalog = readCatalog(locale)
      expect(Object.keys(catalog).sort()).toEqual(Object.keys(english).sort())
      for (const [key, text] of Object.entries(catalog))
        expect([key, argumentsOf(text)]).toEqual([key, argumentsOf(english[key] ?? '')])
    })

  it('are rendered in the reader’s language, and as the key where there is none', () => {
    expect(renderMessage('en', 'workflow.definition.invalid', { count: 1 })).toBe('The definition has one problem.')
    expect(renderMessage('en', 'workflow.definition.invalid', { count: 3 })).toBe('The definition has 3 problems.')
    expect(renderMessage('zh-CN', 'workflow.instance_status.running', {})).toBe('运行中')
    expect(renderMessage('xx', 'workflow.instance_status.running', {})).toBe('Running')
    expect(renderMessage('en', 'acme.custom', {})).toBe('acme.custom')
    expect(renderMessage('en', 'workflow.activity.fault_raised', { message: '<b>{x}</b>' })).toBe('<b>{x}</b>')
    expect(renderMessage('en', 'workflow.activity.End.Outcome', {})).toContain('{{ }}')
    expect(renderMessage('en', 'workflow.instance.not_found', {})).toBe('There is no instance “?”.')
  })

  it('follow Accept-Language', () => {
    const cases: [string | null, string][] = [
      [null, 'en'],
      ['', 'en'],
      ['zh', 'zh-CN'],
      ['zh-Hant-HK', 'zh-TW'],
      ['zh-TW,zh;q=0.9', 'zh-TW'],
      ['de-AT', 'de'],
      ['pt', 'pt-BR'],
      ['xx, ja;q=0.5, fr;q=0.8', 'fr'],
      ['*', 'en'],
      ['en;q=0, ko', 'ko'],
      [';;;q=,,', 'en'],
    ]
    for (const [header, locale] of cases) expect([header, negotiateLocale(header)]).toEqual([header, locale])
  })
})
