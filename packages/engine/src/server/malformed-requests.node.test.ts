import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as openSocket, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { createMiddleware } from './create-middleware.ts'
import { listen, type ListeningServer } from './listen.ts'

const handlers = [
  http.get('http://api.test/a', () => HttpResponse.text('of api.test')),
  http.get('*/a', ({ request }) => HttpResponse.text(request.url)),
  http.post('*/a', async ({ request }) => HttpResponse.text(await request.text())),
]

let server: ListeningServer
beforeAll(async () => {
  server = await listen(handlers)
})
afterAll(() => server.close())

/** Sends bytes, and returns everything that the server sends until it closes the connection. */
async function send(port: number, ...lines: readonly string[]): Promise<string> {
  const socket = openSocket(port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return text(socket)
}

test.each(['a b', '[::1', 'a:99999', 'user:secret@a', 'a/b', 'a?b', 'a#b', 'a\\b'])('the host "%s"', async (host) => {
  const answer = await send(server.port, 'GET /a HTTP/1.1', `Host: ${host}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toContain(`Failed to read the request GET /a: the header "Host" is ${JSON.stringify(host)}.`)
  expect(answer).toContain('(US1015)')
})

test('a method that a request cannot have', async () => {
  const answer = await send(server.port, 'TRACE /a HTTP/1.1', 'Host: a.test')
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toContain('Failed to read the request TRACE /a:')
})

test('the server answers the next request after a malformed one', async () => {
  await send(server.port, 'GET /a HTTP/1.1', 'Host: a b')
  expect(await (await fetch(`${server.url}/a`)).text()).toBe(`${server.url}/a`)
})

test('an empty host, which HTTP permits', async () => {
  expect(await send(server.port, 'GET /a HTTP/1.1', 'Host: ')).toContain('http://localhost/a')
})

test('a request with the whole URL, as clients send to a proxy', async () => {
  expect(await send(server.port, 'GET http://api.test/a HTTP/1.1', 'Host: api.test')).toContain('of api.test')
  // The URL takes precedence over the header.
  expect(await send(server.port, 'GET http://api.test/a HTTP/1.1', 'Host: other.test')).toContain('of api.test')
})

test('a middleware passes an error with the status to the next one', async () => {
  const errors: unknown[] = []
  const middleware = createMiddleware(handlers)
  const own = createServer((message, response) => {
    middleware(message, response, (error) => {
      errors.push(error)
      response.end('next')
    })
  })
  await once(own.listen(0), 'listening')
  const { port } = own.address() as AddressInfo
  expect(await send(port, 'GET /a HTTP/1.1', 'Host: a b')).toContain('next')
  expect(errors).toEqual([expect.objectContaining({ code: 'US1015', status: 400 })])
  own.close()
})
