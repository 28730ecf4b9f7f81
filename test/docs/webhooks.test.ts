import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { newSecret, signedHeaders } from '../../src/webhookSignature.js'
import { eventually } from '../support/eventually.js'
import { killAfterTest } from '../support/process.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

it('the receiver in docs/webhooks.md takes what is signed with its secret and nothing else', async () => {
  const text = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
  // Below node_modules of the project, so that the example finds its package.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/webhooks-'))
  try {
    writeFileSync(join(folder, 'receiver.mts'), code)
    const [secret, next, port] = [newSecret(), newSecret(), await freePort()]
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
    const receiver = spawn(process.execPath, ['--import', 'tsx', join(folder, 'receiver.mts')], { env, cwd: root })
    killAfterTest(receiver)
    let output = ''
    receiver.stdout.on('data', (chunk) => {
      output += chunk
    })
    const body = JSON.stringify({ specversion: '1.0', type: 'workflow.task.created', id: 'e1' })
    const post = async (secrets: string[], sent = body, at = Date.now()) => {
      const headers = signedHeaders(secrets, 'e1', body, at)
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
    }
    await eventually(async () => expect(await post([secret])).toBe(204))
    expect(output).toContain('workflow.task.created')
    expect(await post([next, secret])).toBe(204)
    expect(await post([next])).toBe(401)
    expect(await post([secret], body.replace('e1', 'e2'))).toBe(401)
    expect(await post([secret], body, Date.now() - 600_000)).toBe(401)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
