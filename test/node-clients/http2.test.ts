import { once } from 'node:events'
import { connect, createSecureServer, createServer, type ClientHttp2Session, type Http2Server } from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { certificate } from '../certificate.ts'

const server = setupServer(http.all('*', () => HttpResponse.text('mocked')))
let plain: Http2Server
let secure: Http2Server
let plainPort: number
let securePort: number

beforeAll(async () => {
  plain = createServer(answer)
  secure = createSecureServer(certificate, answer)
  for (const backend of [plain, secure]) await new Promise<void>((resolve) => backend.listen(0, resolve))
  plainPort = (plain.address() as AddressInfo).port
  securePort = (secure.address() as AddressInfo).port
  // The tests of the policies are next to the engine's interception.
  server.listen({ onUnhandledRequest: 'bypass' })
})
afterAll(() => {
  server.close()
  plain.close()
  secure.close()
})

const answer: Parameters<typeof createServer>[1] = (request, response) => {
  void text(request).then((body) => response.end(`${request.method} ${request.url} ${body}`))
}

test.each<[name: string, open: () => ClientHttp2Session | Promise<ClientHttp2Session>]>([
  ['without encryption', () => connect(`http://localhost:${plainPort}`)],
  ['with encryption', () => connect(`https://localhost:${securePort}`, { rejectUnauthorized: false })],
  [
    'over a socket that was open before, as gRPC does it',
    async () => {
      const socket = net.connect(plainPort, 'localhost')
      await once(socket, 'connect')
      return connect(`http://localhost:${plainPort}`, { createConnection: () => socket })
    },
  ],
  [
    'over an encrypted socket that was open before',
    async () => {
      const options = { ALPNProtocols: ['h2'], rejectUnauthorized: false }
      const socket = tls.connect({ port: securePort, host: 'localhost', ...options })
      await once(socket, 'secureConnect')
      return connect(`https://localhost:${securePort}`, { createConnection: () => socket })
    },
  ],
])('HTTP/2 %s reaches the network with "bypass"', async (_, open) => {
  const session = await open()
  const replies = ['a', 'b'].map(async (body) => {
    const stream = session.request({ ':method': 'POST', ':path': `/${body}` })
    stream.end(body)
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
    return [headers[':status'], await text(stream)]
  })
  expect(await Promise.all(replies)).toEqual([
    [200, 'POST /a a'],
    [200, 'POST /b b'],
  ])
  session.close()
})
