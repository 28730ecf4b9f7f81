import { unlinkSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'

/**
 * Locks a data folder for this process: PGlite itself lets a second process in, and both would lose rows.
 * @returns the way to unlock it
 * @throws Error naming the process that holds it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory}.lock`
  for (let attempt = 0; ; attempt += 1) {
    try {
      const file = await open(path, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = Number(await readFile(path, 'utf8').catch(() => ''))
      if (attempt > 3 || isAlive(holder))
        throw new Error(
          `The data in ${directory} is in use by process ${holder}. Stop it first, or use another folder (DATABASE_URL=pglite:./other).`,
        )
      await rm(path, { force: true })
    }
  }
  const unlock = () => {
    try {
      unlinkSync(path)
    } catch {
      // Gone already.
    }
  }
  process.once('exit', unlock)
  return async () => {
    process.removeListener('exit', unlock)
    unlock()
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
