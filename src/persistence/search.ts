/** Joins the fields of a search column; no keyword can hold it, so that no match spans two fields. */
const separator = '\u001f'

/**
 * Folds a text for keyword search: lower case, character by character, and never the separator.
 * Folding it whole would make the end of a word differ from its middle (the Greek sigma), so that a part would no
 * longer be found in its whole.
 */
export function fold(text: string): string {
  let folded = ''
  for (const character of text) folded += character === separator ? ' ' : character.toLowerCase()
  return folded
}

/** The search column of these fields; those that are null are left out. */
export function searchText(...fields: (string | null)[]): string {
  return fields
    .filter((field) => field !== null)
    .map(fold)
    .join(separator)
}

/** How many neighbours at most the index of a search column keeps together. */
export type GramSize = 2 | 3

/** What a folded keyword is looked up by: its neighbours, so many at a time, or itself where it is not longer. */
export function grams(keyword: string, size: GramSize): string[] {
  // Of code points, as the characters of the database are.
  const characters = Array.from(keyword)
  if (characters.length <= size) return [keyword]
  return [...new Set(characters.slice(size - 1).map((_, at) => characters.slice(at, at + size).join('')))]
}

/** What sorting by title compares: the first 256 characters, never half of one. */
export function titleKey(title: string): string {
  return title.length <= 256 ? title : Array.from(title.slice(0, 512)).slice(0, 256).join('')
}
