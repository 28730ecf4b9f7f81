import { IntlMessageFormat } from 'intl-messageformat'
import type { MessageArguments } from '../engine/model.js'
import { type Catalog, type Locale, locales, readCatalog } from './locales.js'

const catalogs = new Map<Locale, Catalog>()
const formats = new Map<string, IntlMessageFormat>()

/**
 * Renders a message in the reader's language, in English where the language is none of ours, and as its key where it
 * is not in the catalog: custom activities bring keys of their own.
 */
export function renderMessage(locale: string, key: string, args: MessageArguments): string {
  const language = locales.find((known) => known === locale) ?? 'en'
  const text = catalogOf(language)[key] ?? catalogOf('en')[key]
  if (text === undefined) return key
  try {
    return String(formatOf(language, key, text).format({ ...missing(text), ...args }))
  } catch {
    return text
  }
}

function catalogOf(locale: Locale): Catalog {
  const known = catalogs.get(locale)
  if (known) return known
  const read = readCatalog(locale)
  catalogs.set(locale, read)
  return read
}

function formatOf(locale: Locale, key: string, text: string): IntlMessageFormat {
  const place = `${locale} ${key}`
  const known = formats.get(place)
  if (known) return known
  const made = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })
  formats.set(place, made)
  return made
}

/** A fault stored by an earlier version may lack an argument; its message is still worth reading. */
function missing(text: string): MessageArguments {
  const found: MessageArguments = {}
  for (const [, name] of text.matchAll(/\{\s*(\w+)\s*[,}]/g)) if (name) found[name] = '?'
  return found
}
