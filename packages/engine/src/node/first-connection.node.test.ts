import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { onFirstConnection } from './first-connection.ts'
import { setupServer } from './setup-server.ts'

const backend = createServer((_request, response) => response.end('real'))
const server = setupServer(http.get('*/user', () => HttpResponse.text('mocked')))
let port = 0

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  port = (backend.address() as AddressInfo).port
})
afterEach(() => server.close())
afterAll(() => backend.close())

async function ask(agent?: Agent): Promise<string> {
  const request = get(`http://localhost:${port}/user`, { ...(agent && { agent }) })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  return text(message)
}

test('sockets are watched from the first on that has to be', async () => {
  const { connect: before } = (await import('node:net')).Socket.prototype
  const watch = vi.spyOn(await import('./load-interceptors.ts'), 'loadInterceptors')
  server.listen()
  expect(await (await fetch('http://localhost/user')).text()).toBe('mocked')
  expect(await (await fetch(`http://localhost:${port}/other`)).text()).toBe('real')
  expect(watch).not.toHaveBeenCalled()
  expect(await ask()).toBe('mocked')
  expect(watch).toHaveBeenCalledOnce()
  server.close()
  expect((await import('node:net')).Socket.prototype.connect).toBe(before)
})

test('a connection that an agent keeps from before is not used', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await ask(agent)).toBe('real')
  server.listen()
  expect(await ask(agent)).toBe('mocked')
  agent.destroy()
})

test('servers that began and ended before any connection leave all as it was', async () => {
  const { connect: before } = (await import('node:net')).Socket.prototype
  const other = setupServer(http.get('*/user', () => HttpResponse.text('other')))
  server.listen()
  other.listen()
  server.close()
  other.close()
  expect((await import('node:net')).Socket.prototype.connect).toBe(before)
  expect(await ask()).toBe('real')
})

test('it is told of once, whoever patched connections meanwhile', async () => {
  const { Socket } = await import('node:net')
  const first = vi.fn<() => void>()
  const ended = vi.fn<() => void>()
  onFirstConnection(first)
  onFirstConnection(ended)()
  const { connect: ours } = Socket.prototype
  const theirs = function (this: InstanceType<typeof Socket>, ...args: Parameters<typeof ours>) {
    return Reflect.apply(ours, this, args)
  }
  Socket.prototype.connect = theirs as typeof ours
  for (let count = 0; count < 2; count += 1) {
    const socket = connect(port)
    await once(socket, 'connect')
    socket.destroy()
  }
  expect(first).toHaveBeenCalledOnce()
  expect(ended).not.toHaveBeenCalled()
  expect(Socket.prototype.connect).toBe(theirs)
  Socket.prototype.connect = ours
})
