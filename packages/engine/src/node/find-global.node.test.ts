/** Tests `setupServer()` where globals are inherited, as in Cloudflare's `workerd`. */

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { ws } from '../ws/ws.ts'
import { setupServer } from './setup-server.ts'

const names = ['fetch', 'WebSocket'] as const
const prototype = Reflect.getPrototypeOf(globalThis) ?? {}
const own = new Map<string, PropertyDescriptor>()

beforeAll(() => {
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)
    if (!descriptor) throw new Error(`${name} is missing`)
    own.set(name, descriptor)
    Reflect.deleteProperty(globalThis, name)
    Object.defineProperty(prototype, name, { ...descriptor, configurable: true })
  }
})

afterAll(() => {
  for (const [name, descriptor] of own) {
    Reflect.deleteProperty(prototype, name)
    Object.defineProperty(globalThis, name, descriptor)
  }
})

test('inherited globals are mocked until the server closes', async () => {
  const before = names.map((name) => globalThis[name])
  const chat = ws.link('ws://chat.test/').addEventListener('connection', ({ client }) => client.send('Hello'))
  const server = setupServer(
    http.get('http://api.test/', () => HttpResponse.text('mocked')),
    chat,
  )
  server.listen()
  onTestFinished(() => server.close())
  // Node's own functions would be answered at their sockets, which `workerd` does not have.
  for (const [index, name] of names.entries()) expect(globalThis[name]).not.toBe(before[index])
  expect(await (await fetch('http://api.test/')).text()).toBe('mocked')
  const socket = new WebSocket('ws://chat.test/')
  const message = await new Promise((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => resolve(data))
    socket.addEventListener('error', reject)
  })
  expect(message).toBe('Hello')
  server.close()
  expect(names.map((name) => globalThis[name])).toEqual(before)
})

test('a signal needs no function of Node that the runtime does not implement', async () => {
  vi.resetModules()
  const find = vi.spyOn(process, 'getBuiltinModule').mockReturnValue({
    transferableAbortController() {
      throw new Error('node:util transferableAbortController is not implemented')
    },
  })
  onTestFinished(() => find.mockRestore())
  const { createAbortController } = await import('../core/abort-controller.ts')
  expect(createAbortController().signal.aborted).toBe(false)
})
