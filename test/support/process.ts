import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** Sees to it that the process ends with the test. */
export function killAfterTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

/** Runs the built server's command; what a test leaves running is killed after it. */
export function run(environment: Record<string, string>, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [inject('serverMain'), ...args], {
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  killAfterTest(child)
  const output = { out: '', err: '' }
  child.stderr.on('data', (chunk) => {
    output.err += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  const lines: string[] = []
  const ready = new Promise<{ url: string }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      output.out += `${line}\n`
      lines.push(line)
      const url = /^ready: (\S+)/.exec(line)?.[1]
      if (url) resolve({ url })
    })
    ended.then((end) => reject(new Error(`it ended before it was ready: ${JSON.stringify(end)}`)))
  })
  ready.catch(() => {})
  return { child, ready, ended, lines }
}
