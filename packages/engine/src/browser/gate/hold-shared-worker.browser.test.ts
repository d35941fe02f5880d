import { expect, test } from 'vitest'

import { installGate } from './install-gate.ts'
import { useGatedFrames } from './testing/frames.ts'

const echo = new URL('./testing/shared-echo.ts', import.meta.url).href

let native: typeof SharedWorker
const page = useGatedFrames((frame) => {
  native = frame.SharedWorker
})

/** Records the messages of a port. */
function listen(port: MessagePort): unknown[] {
  const seen: unknown[] = []
  port.onmessage = ({ data }) => seen.push(data)
  return seen
}

test('a shared worker starts when the gate opens, and messages arrive in their order', async () => {
  const options: WorkerOptions = { type: 'module', name: 'in order' }
  const worker = new page.scope.SharedWorker(echo, options)
  options.name = 'changed'
  const { port } = worker
  expect([worker instanceof native, port instanceof page.scope.MessagePort, page.gate.held]).toEqual([true, true, 1])
  const seen = listen(port)
  const message = { count: 1 }
  port.postMessage(message)
  message.count = 2
  const { port1, port2 } = new MessageChannel()
  const passed = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  port.postMessage(message, [port2])
  await page.server.settle()
  expect(seen).toEqual([])

  page.gate.open()
  expect(worker.port).toBe(port)
  port.postMessage('after')
  await expect
    .poll(() => seen)
    .toEqual([
      ['in order', { count: 1 }],
      ['in order', { count: 2 }],
      ['in order', 'after'],
    ])
  expect(await passed).toBe('through the port')
})

test('several pages share a worker that one of them has held', async () => {
  const held = new page.scope.SharedWorker(echo, { type: 'module', name: 'shared' })
  const seen = listen(held.port)
  held.port.postMessage('held')
  const free = new native(echo, { type: 'module', name: 'shared' })
  const seenByFree = listen(free.port)
  free.port.postMessage('free')
  await expect.poll(() => seenByFree).toEqual([['shared', 'free']])
  page.gate.open()
  await expect.poll(() => seen).toEqual([['shared', 'held']])
})

test('the name may be the only option, and errors arrive', async () => {
  const scope = await page.server.openFrame()
  const created: { worker: SharedWorker; args: unknown[] }[] = []
  scope.SharedWorker = new Proxy(scope.SharedWorker, {
    construct(target, args: unknown[], newTarget) {
      const worker = Reflect.construct(target, args, newTarget) as SharedWorker
      created.push({ worker, args })
      return worker
    },
  })
  const gate = installGate(scope)
  const worker = new scope.SharedWorker(echo, 'the name')
  const errors: Event[] = []
  worker.onerror = (event) => errors.push(event)
  expect(created).toEqual([])
  gate.open()
  expect(created.map(({ args }) => args[1])).toEqual(['the name'])
  // Without Understudy, too, Chromium sometimes loses the error of a missing script: 13 of 1,500 errors on a busy machine.
  created[0]?.worker.dispatchEvent(new scope.Event('error'))
  expect(errors.map(({ target }) => target)).toEqual([worker])
})

test.each([
  ['no argument', []],
  ['a script of another origin', ['https://example.com/worker.js']],
  ['text that is not a URL', ['http://']],
  ['another type', ['worker.js', { type: 'other' }]],
])('the platform refuses %s at once', (_name, args) => {
  const create = (Class: typeof SharedWorker) => (): object => Reflect.construct(Class, args)
  let expected: Error | undefined
  try {
    create(native)()
  } catch (error) {
    expected = error as Error
  }
  expect(expected).toBeDefined()
  expect(create(page.scope.SharedWorker)).toThrow(expected?.message)
  expect(page.gate.held).toBe(0)
})

test('the shared worker with which Vite’s client waits for its server is not held', async () => {
  const code = 'onconnect = ({ ports: [port] }) => port.postMessage("at once")'
  const url = page.scope.URL.createObjectURL(new page.scope.Blob([code], { type: 'application/javascript' }))
  const seen = listen(new page.scope.SharedWorker(url).port)
  await expect.poll(() => seen).toEqual(['at once'])
  expect(page.gate.held).toBe(0)
})

test('once mocking was on, no shared worker is held', () => {
  page.gate.open()
  expect(page.scope.SharedWorker).toBe(native)
  page.gate.hold()
  new page.scope.SharedWorker(echo, { type: 'module' })
  expect(page.gate.held).toBe(0)
})
