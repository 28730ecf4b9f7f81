import { readFileSync } from 'node:fs'

/** The languages that there are catalogs for. */
export const locales = ['en', 'zh-CN', 'zh-TW', 'ja', 'ko', 'de', 'fr', 'es', 'pt-BR', 'ru'] as const

export type Locale = (typeof locales)[number]

/** Message key → text in ICU MessageFormat. */
export type Catalog = Readonly<Record<string, string>>

/** Reads the catalog of a language. */
export function readCatalog(locale: Locale): Catalog {
  return JSON.parse(readFileSync(new URL(`./catalogs/${locale}.json`, import.meta.url), 'utf8'))
}

const fallback: Locale = 'en'

/**
 * The best of our languages for an `Accept-Language` header; English where it is missing or asks for none of ours.
 * A language without a region takes the first of its catalogs, Chinese in traditional script the Taiwanese one.
 */
export function negotiateLocale(acceptLanguage: string | null): Locale {
  if (acceptLanguage === null) return fallback
  const wishes = acceptLanguage
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { range: range.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { range } of wishes) {
    if (range === '*') return fallback
    const found = localeOf(range)
    if (found) return found
  }
  return fallback
}

function localeOf(range: string): Locale | null {
  const wanted = range.toLowerCase()
  const exact = locales.find((locale) => locale.toLowerCase() === wanted)
  if (exact) return exact
  if (/^zh-(hant|hk|mo)\b/.test(wanted)) return 'zh-TW'
  const [language] = wanted.split('-')
  return locales.find((locale) => locale.split('-')[0] === language) ?? null
}
