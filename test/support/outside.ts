import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPublicAddress } from '../../src/outbound/addresses.js'
import { createOutbound, type Outbound, type OutboundOptions } from '../../src/outbound/client.js'

/** What a test server was asked. */
export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer = (asked: Asked, response: ServerResponse) => unknown

const publicAddress = '127.0.0.2'

/**
 * The net as a test sees it: a server that counts as public under the name `public.test`, and one inside, on the same
 * port of this machine, that must not be reached.
 */
export class Outside {
  /** What the public server was asked, in order. */
  readonly asked: Asked[] = []
  /** What answers; a test sets it. */
  answer: Answer = (_asked, response) => response.end('hello')
  /** Connections that the inside has seen. */
  intrusions = 0
  /** What names resolve to; others do not exist. */
  readonly names: { [host: string]: string[] } = {
    'public.test': [publicAddress],
    'other.test': [publicAddress],
    localhost: ['127.0.0.1', '::1'],
    'localhost.': ['127.0.0.1'],
    'intern.test': ['10.0.0.1'],
    'mixed.test': [publicAddress, '127.0.0.1'],
  }
  port = 0
  private servers: Server[] = []
  private opened: Outbound[] = []

  get url(): string {
    return `http://public.test:${this.port}`
  }

  async open(): Promise<void> {
    const outer = await listen((request, response) => void this.serve(request, response), publicAddress, 0)
    this.port = (outer.address() as AddressInfo).port
    this.servers.push(outer)
    for (const address of ['127.0.0.1', '::1']) {
      const inner = await listen((_request, response) => response.end('secret'), address, this.port)
      inner.on('connection', () => {
        this.intrusions += 1
      })
      this.servers.push(inner)
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += part
    const asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    this.asked.push(asked)
    await this.answer(asked, response)
  }

  outbound(options: OutboundOptions = {}): Outbound {
    const outbound = createOutbound({
      resolve: async (host) => {
        const found = this.names[host]
        if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
        return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
      isPublic: (address) => address === publicAddress || isPublicAddress(address),
      ...options,
    })
    this.opened.push(outbound)
    return outbound
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((outbound) => outbound.close()))
    for (const server of this.servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

function listen(listener: RequestListener, address: string, port: number): Promise<Server> {
  const server = createServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => resolve(server))
  })
}

/** Answers with JSON as it is written here. */
export function sendJson(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text)
}
