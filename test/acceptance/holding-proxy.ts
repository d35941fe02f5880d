import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { WebSocket, WebSocketServer } from 'ws'

/** What passes a proxy: responses and WebSocket connections have the path of their request, messages their text. */
type Kind = 'response' | 'connection' | 'message'

/** The responses, connections or messages that a proxy holds. */
export interface Held {
  /** Resolves when the proxy holds the first one. */
  readonly first: Promise<void>
  /** Lets them pass, and no longer holds others. Resolves when the browser has received the messages. */
  release(): Promise<void>
}

/** A proxy between the browser and a dev server. It works in every browser, unlike the interception of Playwright. */
export interface HoldingProxy {
  readonly origin: string
  /** Holds everything of a kind that matches, from now on. */
  hold(kind: Kind, pattern: RegExp): Held
  close(): Promise<void>
}

/** @param port the port of the dev server on this machine */
export async function startHoldingProxy(port: number): Promise<HoldingProxy> {
  const target = `127.0.0.1:${port}`
  const holds = new Map<object, (kind: Kind, text: string) => Promise<void> | undefined>()
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false })

  async function pass(kind: Kind, text: string): Promise<void> {
    for (const hold of holds.values()) await hold(kind, text)
  }

  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    const asked = request(new URL(url, `http://${target}`), { method, headers }, (answer) => {
      void pass('response', url).then(() => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
    })
    asked.on('error', () => outgoing.destroy())
    outgoing.on('close', () => asked.destroy())
    incoming.pipe(asked)
  })

  async function connect(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { url = '/', headers } = incoming
    await pass('connection', url)
    const protocols = headers['sec-websocket-protocol']?.split(/, */)
    const upstream = new WebSocket(`ws://${target}${url}`, protocols, { headers: { origin: headers.origin ?? '' } })
    // The dev server's client concludes from a connection that the server runs.
    upstream.on('error', () => socket.destroy())
    upstream.on('open', () => {
      sockets.handleUpgrade(incoming, socket, head, (client) => {
        upstream.on('message', (data, isBinary) => {
          void pass('message', (data as Buffer).toString()).then(() => client.send(data, { binary: isBinary }))
        })
        client.on('message', (data, isBinary) => upstream.send(data, { binary: isBinary }))
        client.on('close', () => upstream.terminate())
        upstream.on('close', () => client.terminate())
      })
    })
  }
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void connect(incoming, socket, head)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    hold(kind, pattern) {
      const key = {}
      const first = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holds.set(key, (each, text) => {
        if (each !== kind || !pattern.test(text)) return undefined
        first.resolve()
        return released.promise
      })
      return {
        first: first.promise,
        async release() {
          holds.delete(key)
          released.resolve()
          // The messages are sent first.
          await new Promise((resolve) => {
            setImmediate(resolve)
          })
          // A browser answers pings in the order of messages.
          await Promise.all(
            [...sockets.clients].map(async (client) => {
              client.ping()
              await Promise.race([once(client, 'pong'), once(client, 'close')])
            }),
          )
        },
      }
    },
    async close() {
      for (const client of sockets.clients) client.terminate()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
