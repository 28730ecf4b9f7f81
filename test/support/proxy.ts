import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What stands before servers: it hands each connection to the next of them that answers, and can cut all it has. */
export interface ServerProxy {
  url: string
  /** The ports of the servers; may be changed at any time. */
  ports: number[]
  /** Cuts all connections as a failing network does. */
  cut(): void
  /** Cuts each connection on which a client has just sent this text, once the server has answered; answers are lost. */
  loseAnswerTo: string | null
}

/** Starts a proxy; it ends with the test. */
export async function startProxy(ports: number[]): Promise<ServerProxy> {
  const sockets = new Set<Socket>()
  let turn = 0
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    track(client)
    client.pause()
    forward(client, proxy.ports.length)
  })
  const forward = (client: Socket, attempts: number) => {
    const port = proxy.ports[turn++ % proxy.ports.length]
    if (attempts <= 0 || port === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    track(upstream)
    upstream.once('error', () => {
      if (upstream.connecting || upstream.bytesRead === 0) forward(client, attempts - 1)
    })
    upstream.once('connect', () => join(client, upstream))
  }
  const join = (client: Socket, upstream: Socket) => {
    upstream.removeAllListeners('error')
    upstream.on('error', () => {})
    let losing = false
    client.on('data', (bytes) => {
      if (proxy.loseAnswerTo && String(bytes).includes(proxy.loseAnswerTo)) {
        proxy.loseAnswerTo = null
        losing = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => (losing ? client.destroy() : client.write(bytes)))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.resume()
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: ServerProxy = { url: `http://127.0.0.1:${port}`, ports, cut, loseAnswerTo: null }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return proxy
}
