import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'

import type { Gate, PageScope } from './gate.ts'
import { installGate } from './install-gate.ts'
import { startArrivalServer, type ArrivalServer } from './testing/arrivals.ts'

let server: ArrivalServer
let scope: PageScope
let gate: Gate

beforeAll(async () => {
  server = await startArrivalServer(cdp())
})
beforeEach(async () => {
  scope = await server.openFrame()
  gate = installGate(scope)
})
afterAll(() => server.close())

test('is queued, and sent once the gate is opened', async () => {
  expect(scope.navigator.sendBeacon('metrics', 'text')).toBe(true)
  await server.settle()
  expect(server.lines).toEqual([])
  expect(gate.held).toBe(1)

  gate.open()
  await expect
    .poll(() => server.arrivals)
    .toEqual([expect.objectContaining({ method: 'POST', path: 'metrics', body: 'text' })])
})

test('captures data and URL at the time of the call', async () => {
  const form = new scope.FormData()
  form.set('file', new scope.File(['content'], 'before.txt'))
  const bytes = new TextEncoder().encode('before')
  const parameters = new scope.URLSearchParams('name=before')
  const base = scope.document.createElement('base')
  base.href = 'before/'
  scope.document.head.append(base)
  const data = { form, bytes, view: new DataView(bytes.buffer, 0, 3), buffer: bytes.buffer, parameters }
  for (const [name, value] of Object.entries(data)) scope.navigator.sendBeacon(name, value)
  form.delete('file')
  bytes.fill(0)
  parameters.set('name', 'after')
  base.href = 'after/'
  gate.open()
  await expect.poll(() => server.arrivals).toHaveLength(5)

  const sent = Object.fromEntries(
    server.arrivals.map(({ path, body, headers }) => [path, [headers['content-type'], body]]),
  )
  expect(sent).toEqual({
    'before/form': [expect.stringMatching(/^multipart\/form-data; boundary=/), expect.stringContaining('content')],
    'before/bytes': [undefined, 'before'],
    'before/view': [undefined, 'bef'],
    'before/buffer': [undefined, 'before'],
    'before/parameters': ['application/x-www-form-urlencoded;charset=UTF-8', 'name=before'],
  })
  expect(sent['before/form']?.[1]).toContain('filename="before.txt"')
})

test('throws the platform’s errors immediately', () => {
  const { navigator } = scope
  expect(() => navigator.sendBeacon('http://[')).toThrow(scope.TypeError)
  expect(() => navigator.sendBeacon('data:,x')).toThrow(scope.TypeError)
  expect(() => (navigator.sendBeacon as () => boolean)()).toThrow(scope.TypeError)
  expect(gate.held).toBe(0)
})

test('goes to the replacement', () => {
  const captured = scope.navigator.sendBeacon.bind(scope.navigator)
  scope.navigator.sendBeacon('held', 'text')
  const replacement = vi.fn<Navigator['sendBeacon']>(() => false)
  gate.open({ sendBeacon: replacement })

  expect(replacement.mock.calls.map(([url, data]) => [String(url), data])).toEqual([
    [`${scope.location.href}held`, 'text'],
  ])
  expect(captured('captured', 'text')).toBe(false)
  expect(replacement).toHaveBeenLastCalledWith('captured', 'text')
  expect(replacement.mock.contexts).toEqual([scope.navigator, scope.navigator])
})

test('goes to the platform once the gate is open', async () => {
  const captured = scope.navigator.sendBeacon.bind(scope.navigator)
  gate.open()
  expect(captured('captured', 'text')).toBe(true)
  expect(() => captured('http://[')).toThrow(scope.TypeError)
  await expect.poll(() => server.lines).toEqual(['POST captured'])
})
