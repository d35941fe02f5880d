import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const backend = createServer((_request, response) => response.end('real'))
let origin = ''
const first = setupServer()
const second = setupServer()

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
})
afterEach(() => {
  for (const server of [first, second]) {
    server.close()
    server.resetHandlers()
    server.events.removeAllListeners()
  }
})
afterAll(() => backend.close())

async function ask(path: string, options: RequestOptions = {}): Promise<string> {
  const [message] = (await once(get(`${origin}${path}`, options), 'response')) as [IncomingMessage]
  return text(message)
}

test('of two servers, the one that listens later is asked first, and the other one about unanswered requests', async () => {
  const asked: string[] = []
  const note = (name: string) => http.get('*', ({ url }) => void asked.push(`${name} ${url.pathname}`))
  first.use(
    note('first'),
    http.get('*/second', () => HttpResponse.text('never')),
    http.get('*/first', () => HttpResponse.text('first')),
  )
  second.use(
    note('second'),
    http.get('*/second', () => HttpResponse.text('second')),
  )
  first.listen({ onUnhandledRequest: 'bypass' })
  second.listen({ onUnhandledRequest: 'bypass' })
  expect([await ask('/second'), await ask('/first'), await ask('/third')]).toEqual(['second', 'first', 'real'])
  expect(asked).toEqual(['second /second', 'second /first', 'first /first', 'second /third', 'first /third'])
  second.close()
  expect([await ask('/first'), await ask('/second')]).toEqual(['first', 'never'])
  first.close()
  expect(await ask('/first')).toBe('real')
})

test('no server answers a bypassed request', async () => {
  for (const server of [first, second]) {
    server.use(http.get('*', () => HttpResponse.text('mocked')))
    server.listen()
  }
  const accept = bypass(origin).headers.get('accept') ?? ''
  expect(await ask('/', { headers: { accept } })).toBe('real')
})

test('a request that is destroyed while its resolver runs causes no unhandled rejection and does not affect others', async () => {
  const unhandled = vi.fn<(reason: unknown) => void>()
  process.on('unhandledRejection', unhandled)
  const gate = Promise.withResolvers<void>()
  first.use(
    http.get('*/slow', async () => {
      await gate.promise
      return HttpResponse.text('late')
    }),
  )
  first.listen()
  const request = get(`${origin}/slow`)
  await new Promise((resolve) => first.events.once('request:match', resolve))
  request.destroy()
  await once(request, 'error')
  gate.resolve()
  expect(await ask('/other')).toBe('real')
  expect(unhandled).not.toHaveBeenCalled()
  process.off('unhandledRejection', unhandled)
})
