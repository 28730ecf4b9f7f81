import pg from 'pg'
import { channel } from './database.js'

const heartbeat = 10_000

/**
 * Listens on a connection of its own and reconnects for ever, 1 to 30 s apart. Notifications are only hints:
 * after every reconnect the listener is woken, because what was sent meanwhile is lost.
 */
export async function listenPostgres(url: string, onWake: () => void): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null

  const reconnect = (delay: number) => {
    if (stopped) return
    timer = setTimeout(() => connect().catch(() => reconnect(Math.min(delay * 2, 30_000))), delay)
  }

  const connect = async () => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, query_timeout: 5000 })
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      clearInterval(beat)
      fresh.end().catch(() => {})
      if (client === fresh) {
        client = null
        reconnect(1000)
      }
    }
    // A half-open connection is silent: only a question with a time limit finds it.
    const beat = setInterval(() => fresh.query('SELECT 1').catch(lose), heartbeat)
    beat.unref()
    fresh.on('error', lose)
    fresh.on('end', lose)
    fresh.on('notification', onWake)
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
    } catch (error) {
      lose()
      throw error
    }
    client = fresh
    onWake()
  }

  await connect()
  return async () => {
    stopped = true
    if (timer) clearTimeout(timer)
    const last = client
    client = null
    await last?.end()
  }
}
