import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The real API, which a mocked app must never reach. It records the requests that reach it. */
export interface CountingBackend {
  readonly origin: string
  /** The requests in order: `'GET /api/plays'`. */
  readonly requests: readonly string[]
  /** The bodies of these requests, without empty ones. */
  readonly bodies: readonly string[]
  forget(): void
  close(): Promise<void>
}

/** The backend's response, which no mock returns. */
export const backendAnswer = { from: 'the backend' }

/** The bytes of an image, with which the backend answers requests for `/api/photo`. They are not UTF-8. */
export const backendImage: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Starts a backend on a free port of the loopback interface. It answers every request with {@link backendAnswer},
 * or with {@link backendImage}, except for `/api/~requests`, which it answers with the recorded requests and does not record.
 *
 * @param pages HTML pages that it serves, by path; it does not record requests for them
 * @param wait what a response waits for, by the path of its request
 */
export async function startBackend(
  pages: Readonly<Record<string, string>> = {},
  wait?: (path: string) => Promise<void> | undefined,
): Promise<CountingBackend> {
  const requests: string[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/api/~requests') {
      answer(response, requests)
      return
    }
    const page = pages[request.url ?? '']
    if (page !== undefined) {
      response.setHeader('Content-Type', 'text/html')
      response.end(page)
      return
    }
    requests.push(`${request.method} ${request.url}`)
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (body !== '') bodies.push(body)
      void Promise.resolve(wait?.(request.url ?? '')).then(() => {
        if (request.url === '/api/photo') response.setHeader('Content-Type', 'image/png').end(backendImage)
        else answer(response, backendAnswer)
      })
    })
  })
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`)
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    bodies,
    forget() {
      requests.length = 0
      bodies.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, body: unknown): void {
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.end(JSON.stringify(body))
}
