import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

type Catalog = Record<string, unknown>

/** One file for each area, in each language: the name of the file is the namespace. */
const files = {
  en: import.meta.glob<Catalog>('./en/*.json', { eager: true, import: 'default' }),
  zh: import.meta.glob<Catalog>('./zh/*.json', { eager: true, import: 'default' }),
}

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages
const stored = 'countersign.language'

function byArea(of: Record<string, Catalog>): Record<string, Catalog> {
  return Object.fromEntries(Object.entries(of).map(([path, catalog]) => [path.replace(/^.*\/|\.json$/g, ''), catalog]))
}

function preferred(): Language {
  const kept = localStorage.getItem(stored)
  if (kept === 'en' || kept === 'zh') return kept
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'en' || tag === 'zh')
  return known === 'zh' ? 'zh' : 'en'
}

/** The language of the pages, and of what the server says. */
export function languageTag(): string {
  return i18next.language === 'zh' ? 'zh-CN' : 'en'
}

/** Changes the language and keeps the choice in this browser. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(stored, language)
  void i18next.changeLanguage(language)
}

i18next.on('languageChanged', () => {
  document.documentElement.lang = languageTag()
})
void i18next.use(initReactI18next).init({
  resources: { en: byArea(files.en), zh: byArea(files.zh) },
  lng: preferred(),
  fallbackLng: 'en',
  defaultNS: 'common',
  interpolation: { escapeValue: false },
})
