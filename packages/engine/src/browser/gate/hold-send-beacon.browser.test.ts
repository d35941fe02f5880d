import { expect, test, vi } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

const page = useGatedFrames()

test('is queued, and sent once the gate is opened', async () => {
  expect(page.scope.navigator.sendBeacon('metrics', 'text')).toBe(true)
  await page.server.settle()
  expect(page.server.lines).toEqual([])
  expect(page.gate.held).toBe(1)

  page.gate.open()
  await expect
    .poll(() => page.server.arrivals)
    .toEqual([expect.objectContaining({ method: 'POST', path: 'metrics', body: 'text' })])
})

test('captures data and URL at the time of the call', async () => {
  const form = new page.scope.FormData()
  form.set('file', new page.scope.File(['content'], 'before.txt'))
  const bytes = new TextEncoder().encode('before')
  const parameters = new page.scope.URLSearchParams('name=before')
  const base = page.scope.document.createElement('base')
  base.href = 'before/'
  page.scope.document.head.append(base)
  const data = { form, bytes, view: new DataView(bytes.buffer, 0, 3), buffer: bytes.buffer, parameters }
  for (const [name, value] of Object.entries(data)) page.scope.navigator.sendBeacon(name, value)
  form.delete('file')
  bytes.fill(0)
  parameters.set('name', 'after')
  base.href = 'after/'
  page.gate.open()
  await expect.poll(() => page.server.arrivals).toHaveLength(5)

  const sent = Object.fromEntries(
    page.server.arrivals.map(({ path, body, headers }) => [path, [headers['content-type'], body]]),
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
  const { navigator } = page.scope
  expect(() => navigator.sendBeacon('http://[')).toThrow(page.scope.TypeError)
  expect(() => navigator.sendBeacon('data:,x')).toThrow(page.scope.TypeError)
  expect(() => (navigator.sendBeacon as () => boolean)()).toThrow(page.scope.TypeError)
  expect(page.gate.held).toBe(0)
})

test('goes to the replacement', () => {
  const captured = page.scope.navigator.sendBeacon.bind(page.scope.navigator)
  page.scope.navigator.sendBeacon('held', 'text')
  const replacement = vi.fn<Navigator['sendBeacon']>(() => false)
  page.gate.open({ sendBeacon: replacement })

  expect(replacement.mock.calls.map(([url, data]) => [String(url), data])).toEqual([
    [`${page.scope.location.href}held`, 'text'],
  ])
  expect(captured('captured', 'text')).toBe(false)
  expect(replacement).toHaveBeenLastCalledWith('captured', 'text')
  expect(replacement.mock.contexts).toEqual([page.scope.navigator, page.scope.navigator])
})

test('goes to the platform once the gate is open', async () => {
  const captured = page.scope.navigator.sendBeacon.bind(page.scope.navigator)
  page.gate.open()
  expect(captured('captured', 'text')).toBe(true)
  expect(() => captured('http://[')).toThrow(page.scope.TypeError)
  await expect.poll(() => page.server.lines).toEqual(['POST captured'])
})
