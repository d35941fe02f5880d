import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Other scripts that can be at the URL of the service worker. */
const scripts: Record<string, string> = {
  // The answers and the first lines of MSW's worker.
  msw: `
    addEventListener('install', () => self.skipWaiting())
    addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
    addEventListener('message', async ({ data, source }) => {
      const client = await self.clients.get(source.id)
      if (data === 'KEEPALIVE_REQUEST') client.postMessage({ type: 'KEEPALIVE_RESPONSE' })
      if (data === 'INTEGRITY_CHECK_REQUEST') client.postMessage({ type: 'INTEGRITY_CHECK_RESPONSE', payload: {} })
    })`,
  'importing-msw': `importScripts('./msw')`,
  empty: '',
  deaf: `addEventListener('install', () => self.skipWaiting())`,
  // A loop without an end would take a core, in Firefox also for half a minute after its page was closed. When this one ends, it says so.
  endless: `const end = Date.now() + 10_000; while (Date.now() < end); fetch('./ended')`,
  installing: `addEventListener('install', (event) => event.waitUntil(new Promise(() => {})))`,
  throwing: `throw new Error('thrown on purpose')`,
}

export interface ScriptServer {
  readonly origin: string
  /** Adds a script with a name. */
  serve(name: string, script: string): void
  read(name: string): string
  /** Adds a script whose requests wait. The returned function answers them and all later ones. */
  hold(name: string, script: string): () => void
  /** Whether a script has ended its loop: then its page has waited for it. */
  readonly hasEnded: boolean
  close(): Promise<void>
}

/** Serves scripts at `/api/scripts/<name>`, and answers `the backend` at every other path. */
export async function serveScripts(): Promise<ScriptServer> {
  const served = new Map(Object.entries(scripts))
  const released = new Map<string, Promise<void>>()
  let hasEnded = false
  const respond = async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = url.replace('/api/scripts/', '').replace(/\?.*/, '')
    if (name === 'redirect') {
      response.writeHead(302, { location: './deaf' }).end()
      return
    }
    if (name === 'ended') hasEnded = true
    const script = served.get(name)
    await released.get(name)
    if (script !== undefined) response.setHeader('Content-Type', 'text/javascript')
    response.setHeader('Service-Worker-Allowed', '/')
    response.end(script ?? 'the backend')
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    serve: (name, script) => void served.set(name, script),
    read: (name) => served.get(name) ?? '',
    hold(name, script) {
      served.set(name, script)
      const { promise, resolve } = Promise.withResolvers<void>()
      released.set(name, promise)
      return resolve
    },
    get hasEnded() {
      return hasEnded
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
