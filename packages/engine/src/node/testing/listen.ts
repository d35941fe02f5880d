import { once } from 'node:events'
import http_, { createServer, type IncomingMessage, type RequestOptions, type Server as HttpServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'

import { type Handler } from '../../index.ts'
import { setupServer, type ListenOptions, type Server } from '../setup-server.ts'

/** What runs during the current test. */
export interface Running {
  /** What `listen` started. */
  server: Server
  /** A real server that records its requests. */
  real: HttpServer
  origin: string
}

export const running = {} as Running

export const api = 'http://api.test'

beforeAll(async () => {
  running.real = createServer((request, response) => {
    const { method, url, headers } = request
    response.setHeader('X-Real', 'yes')
    response.setHeader('Content-Type', 'application/json')
    void text(request).then((body) => response.end(JSON.stringify({ method, url, headers, body })))
  })
  running.real.listen(0, '127.0.0.1')
  await once(running.real, 'listening')
  running.origin = `http://127.0.0.1:${(running.real.address() as AddressInfo).port}`
})

afterAll(() => {
  running.real.close()
  running.real.closeAllConnections()
})

/** Starts a server that is closed when the test ends. */
export function listen(handlers: Handler[], options: ListenOptions = { onUnhandledRequest: 'bypass' }): Server {
  running.server = setupServer(...handlers)
  running.server.listen(options)
  return running.server
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
})

afterEach(() => {
  running.server.close()
  vi.restoreAllMocks()
})

export interface Answer {
  status: number
  statusText: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

async function readMessage(message: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, statusMessage = '', headers } = message
  return { status: statusCode, statusText: statusMessage, headers, body: await text(message) }
}

/** Sends a request with Node's own client. */
export async function askNode(
  url: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<Answer> {
  const client = url.startsWith('https:') ? https : http_
  const request = client.request(url, options)
  request.end(body)
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  return readMessage(message)
}
