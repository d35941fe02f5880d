import { expect, test } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

let native: typeof Worker
const page = useGatedFrames((frame) => {
  native = frame.Worker
})

/** Returns each message with its ports and buffers. */
const echoing = `onmessage = ({ data, ports }) => {
  postMessage(data, data?.buffer ? [data.buffer] : [])
  ports[0]?.postMessage('through the port')
}`

function toUrl(code: string): string {
  return page.scope.URL.createObjectURL(new page.scope.Blob([code], { type: 'text/javascript' }))
}

function until<Type extends Event>(target: EventTarget, type: string): Promise<Type> {
  return new Promise((resolve) => target.addEventListener(type, resolve as (event: Event) => void, { once: true }))
}

test('a worker starts when the gate opens, although its URL was revoked', async () => {
  const url = toUrl('postMessage(name + (self.importScripts ? " classic" : " module"))')
  const other = toUrl('postMessage("another one")')
  const worker = new page.scope.Worker(url, { name: 'the name' })
  const second = new page.scope.Worker(url, { name: 'the second' })
  page.scope.URL.revokeObjectURL(url)
  page.scope.URL.revokeObjectURL(other)
  const messages = [until<MessageEvent>(worker, 'message'), until<MessageEvent>(second, 'message')]
  expect(page.gate.held).toBe(2)
  await expect(page.scope.fetch.call(page.scope, other).then(String)).rejects.toThrow(/fetch/i)

  page.gate.open()
  const [first, next] = await Promise.all(messages)
  expect([first?.data, next?.data]).toEqual(['the name classic', 'the second classic'])
  expect([first?.target, first?.currentTarget ?? null]).toEqual([worker, null])
  // Both were created: the URL is revoked now.
  await expect.poll(() => page.gate.natives.fetch.call(page.scope, url).catch(() => 'revoked')).toBe('revoked')
})

test('messages are copied when they are posted, and arrive in their order', async () => {
  const worker = new page.scope.Worker(toUrl(echoing))
  const seen: unknown[] = []
  worker.onmessage = ({ data }) => seen.push(data)
  const message = { count: 1 }
  worker.postMessage(message)
  message.count = 2
  worker.postMessage(message)
  const buffer = new ArrayBuffer(8)
  worker.postMessage({ buffer }, [buffer])
  expect(buffer.byteLength).toBe(0)
  const { port1, port2 } = new MessageChannel()
  worker.postMessage('a port', { transfer: [port2] })
  const passed = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  expect(() => worker.postMessage(() => {})).toThrow(page.scope.DOMException)

  page.gate.open()
  worker.postMessage('after')
  await expect.poll(() => seen).toHaveLength(5)
  expect(seen.toSpliced(2, 1)).toEqual([{ count: 1 }, { count: 2 }, 'a port', 'after'])
  expect((seen[2] as { buffer: ArrayBuffer }).buffer.byteLength).toBe(8)
  expect(await passed).toBe('through the port')
})

test('errors of the worker arrive, and are reported unless a listener prevents that', async () => {
  const worker = new page.scope.Worker(toUrl('throw new RangeError("out of range")'))
  const failed = until<ErrorEvent>(worker, 'error')
  const reported: string[] = []
  page.scope.onerror = (message): void => {
    reported.push(typeof message === 'string' ? message : message.type)
  }
  worker.addEventListener('error', (event) => event.preventDefault())
  page.gate.open()
  const { message, lineno } = await failed
  expect([message, lineno]).toEqual(['Uncaught RangeError: out of range', 1])
  expect(reported).toEqual([])
})

test('a worker that is terminated before does not start', async () => {
  const worker = new page.scope.Worker(toUrl('postMessage("started")'))
  const seen: unknown[] = []
  worker.onmessage = ({ data }) => seen.push(data)
  worker.terminate()
  expect(page.gate.held).toBe(0)
  page.gate.open()
  const later = new page.scope.Worker(toUrl('postMessage("later")'))
  expect((await until<MessageEvent>(later, 'message')).data).toBe('later')
  expect(seen).toEqual([])
})

test('a class that extends it keeps its members', async () => {
  class Named extends page.scope.Worker {
    readonly label = 'the label'
  }
  const worker = new Named(toUrl('postMessage(1)'))
  expect([worker.label, worker instanceof page.scope.Worker]).toEqual(['the label', true])
  page.gate.open()
  await until(worker, 'message')
})

test.each([
  ['no argument', []],
  ['a script of another origin', ['https://example.com/worker.js']],
  ['text that is not a URL', ['http://']],
  ['another type', ['worker.js', { type: 'other' }]],
])('the platform refuses %s at once', (_name, args) => {
  const create = (Class: typeof Worker) => (): Worker => Reflect.construct(Class, args) as Worker
  let expected: Error | undefined
  try {
    create(native)()
  } catch (error) {
    expected = error as Error
  }
  expect(expected).toBeDefined()
  expect(create(page.scope.Worker)).toThrow(expected?.message)
  expect(page.gate.held).toBe(0)
})

test('after mocking was on once, no worker is held, even while requests are held', async () => {
  page.gate.open()
  expect(page.scope.Worker).toBe(native)
  page.gate.hold()
  const worker = new page.scope.Worker(toUrl('postMessage("at once")'))
  expect((await until<MessageEvent>(worker, 'message')).data).toBe('at once')
  expect(page.gate.held).toBe(0)
})

test('a worker with a data: URL is not held, because no service worker controls it', async () => {
  const worker = new page.scope.Worker('data:text/javascript,postMessage("at once")')
  expect((await until<MessageEvent>(worker, 'message')).data).toBe('at once')
})
