/** Whether PostgreSQL can hold the text: it has no NUL and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/** Whether the text is a UUID in the usual form, in any case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
