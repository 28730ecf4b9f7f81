import { type DestinationStream, type Logger, pino } from 'pino'
import { currentTraceId } from '../tracing.js'
import { requestScope } from './requestScope.js'
import type { Config } from './resolveConfig.js'

/** Places where a secret could stand in the facts of a log line. */
const redacted = [
  'authorization',
  'password',
  'token',
  'databaseUrl',
  '*.authorization',
  '*.password',
  '*.token',
  '*.databaseUrl',
]

/**
 * The logger: one JSON object per line (so that no value can forge a line); readable text on a terminal.
 * @param destination where lines go; null is standard output
 */
export async function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination: DestinationStream | null = null,
): Promise<Logger> {
  const stream = destination ?? (process.stdout.isTTY ? await readableStream() : null)
  const options = { level: config.logLevel, base: null, redact: redacted, mixin: runningFacts }
  return stream === null ? pino(options) : pino(options, stream)
}

/** What each line tells of the request and the trace in which it was written. */
export function runningFacts(): { requestId?: string; tenant?: string; traceId?: string } {
  const { requestId, tenant } = requestScope.getStore() ?? {}
  const traceId = currentTraceId()
  return {
    ...(requestId !== undefined && { requestId }),
    ...(tenant !== undefined && { tenant }),
    ...(traceId !== null && { traceId }),
  }
}

/** pino-pretty is a development dependency: an installation without it logs JSON on a terminal too. */
async function readableStream(): Promise<DestinationStream | null> {
  try {
    const { default: pretty } = await import('pino-pretty')
    return pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
  } catch {
    return null
  }
}
