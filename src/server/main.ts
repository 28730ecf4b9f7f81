#!/usr/bin/env node
import { ConfigError, helpText } from './config.js'
import { readConfig } from './resolveConfig.js'
import type { Server } from './server.js'
import { StartError } from './startError.js'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const complain = (line: string) => void process.stderr.write(`${line}\n`)

/** The command `countersign`: starts a server and stops it on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument === '--help' || argument === '-h') return say(helpText())
  if (argument !== undefined) {
    complain(`Unknown argument ${JSON.stringify(argument)}; see countersign --help.`)
    process.exitCode = 1
    return
  }
  const starting = start()
  let stopping = false
  const stopOnce = () => {
    if (stopping) return
    stopping = true
    process.once('SIGTERM', endNow)
    process.once('SIGINT', endNow)
    say('stopping; once more to end at once …')
    starting.then(stop, fail)
  }
  process.once('SIGTERM', stopOnce)
  process.once('SIGINT', stopOnce)
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(stopOnce)
  await starting
}

async function start(): Promise<Server> {
  const config = readConfig(process.env)
  // Only now: help and mistakes need not wait for all that is loaded here.
  const { createServer } = await import('./server.js')
  const server = await createServer(config, { progress: say })
  say(`ready: ${server.url}${config.graphiql ? ' (GraphiQL at /graphql)' : ''}`)
  return server
}

async function stop(server: Server): Promise<void> {
  // What hangs must not keep the process: whoever sent the signal would kill it after 10 seconds anyway.
  const late = setTimeout(() => process.exit(0), 9000)
  late.unref()
  await server.stop()
  process.exit(0)
}

/** npm puts a shell in between, and that dies of a signal without passing it on. */
function whenOrphaned(run: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    run()
  }, 500)
  watch.unref()
}

function endNow(): void {
  process.exit(1)
}

/** Says what is wrong: for the operator's mistakes the sentences alone, for ours the whole error. */
function fail(error: unknown): void {
  if (error instanceof ConfigError) for (const line of error.lines) complain(line)
  else if (error instanceof StartError) complain(error.message)
  else complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

// Whoever read the output may be gone before this process is.
process.stdout.on('error', () => {})
main().catch(fail)
