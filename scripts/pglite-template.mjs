// Packs an empty embedded database once, so that a first start and each test need not make one: initdb takes seconds,
// unpacking its result one. Nothing depends on it: without the file PGlite makes its folder itself.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const folder = 'src/generated'
const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8'))
const name = `pglite-${version}.tar.gz`
mkdirSync(folder, { recursive: true })
const packed = readdirSync(folder).filter((file) => /^pglite-.*\.tar\.gz$/.test(file))
// That of another version could not be opened.
for (const other of packed.filter((file) => file !== name)) rmSync(`${folder}/${other}`)
if (!packed.includes(name)) {
  const db = await PGlite.create('memory://')
  const dump = await db.dumpDataDir('gzip')
  await db.close()
  writeFileSync(`${folder}/${name}`, Buffer.from(await dump.arrayBuffer()))
}
