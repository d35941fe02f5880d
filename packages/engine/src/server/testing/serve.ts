import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

import { graphql, http, HttpResponse, type Handler } from '../../index.ts'
import type { FetchHandler } from '../create-fetch-handler.ts'

/** Serves a Fetch-style function with `node:http`, as in `docs/server.md`. */
export function listen(fetchHandler: FetchHandler): Server {
  return createServer((incoming, outgoing) => {
    async function answer(): Promise<void> {
      const { method = 'GET', url = '/', headers } = incoming
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const init = {
        method,
        headers: Object.entries(headers).flatMap(([name, values = []]) =>
          [values].flat().map((value): [string, string] => [name, value]),
        ),
        body: hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null,
        duplex: 'half',
      } as RequestInit
      const response = await fetchHandler(new Request(`http://${headers.host}${url}`, init))
      outgoing.statusMessage = response.statusText
      outgoing.setHeaders(response.headers)
      outgoing.writeHead(response.status)
      if (response.body) await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing)
      else outgoing.end()
    }
    answer().catch((error: unknown) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end(String(error))
    })
  }).listen(0)
}

export const handlers: Handler[] = [
  http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id }, { headers: { 'X-A': 'b' } })),
  http.post('/echo', async ({ request }) =>
    HttpResponse.json({ type: request.headers.get('content-type'), body: await request.text() }, { status: 201 }),
  ),
  http.post('/upload', async ({ request }) => {
    const file = (await request.formData()).get('file') as File
    return HttpResponse.json([file.name, await file.text()])
  }),
  http.get('/login', () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; HttpOnly'],
    ])
    return new HttpResponse(null, { status: 204, headers })
  }),
  http.get('/me', ({ cookies }) => HttpResponse.json(cookies)),
  http.get('/stream', () => {
    const chunks = ['one', 'two']
    return new HttpResponse(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(new TextEncoder().encode(chunk))
          else controller.close()
        },
      }),
    )
  }),
  http.get('/thrown', () => {
    throw new TypeError('Boom')
  }),
  http.get('/network-error', () => HttpResponse.error()),
  http.get('/old', () => HttpResponse.redirect('/user/5')),
  graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: variables } })),
]

export interface Running {
  readonly origin: string
  close(): void
}

export function toRunning(server: Pick<Server, 'address' | 'close'>): Running {
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, close: () => void server.close() }
}
