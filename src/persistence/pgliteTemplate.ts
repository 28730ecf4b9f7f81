import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../generated/', import.meta.url)

/** An empty embedded database, packed when the packages were installed; null where there is none. */
export function readPgliteTemplate(): Blob | null {
  try {
    const file = readdirSync(folder).find((name) => /^pglite-.*\.tar\.gz$/.test(name))
    return file ? new Blob([readFileSync(new URL(file, folder))], { type: 'application/x-gzip' }) : null
  } catch {
    return null
  }
}
