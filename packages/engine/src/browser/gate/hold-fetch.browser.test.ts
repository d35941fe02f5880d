import { expect, test, vi } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

const page = useGatedFrames()

/** Resolves with the frame's only request when a replacement gets it. */
function openForOne(): Promise<Request> {
  return new Promise((resolve) => {
    page.gate.open({
      fetch: (input) => {
        resolve(input as Request)
        return new Promise(() => {})
      },
    })
  })
}

test('answers held requests when it is opened', async () => {
  const answer = page.scope.fetch('users', { method: 'PUT', body: 'text', headers: { 'X-Own': 'yes' } })
  await page.server.settle()
  expect(page.server.lines).toEqual([])
  expect(page.gate.held).toBe(1)

  page.gate.open()
  const response = await answer

  expect(response).toBeInstanceOf(page.scope.Response)
  expect(await response.json()).toEqual({ method: 'PUT', path: 'users', body: 'text' })
  expect(page.server.arrivals).toEqual([
    expect.objectContaining({ path: 'users', headers: expect.objectContaining({ 'x-own': 'yes' }) }),
  ])
})

test('rejects immediately if the platform rejects', async () => {
  await expect(page.scope.fetch('http://[')).rejects.toBeInstanceOf(page.scope.TypeError)
  await expect(page.scope.fetch('users', { method: 'GET', body: 'text' })).rejects.toBeInstanceOf(page.scope.TypeError)
  await expect((page.scope.fetch as () => Promise<Response>)()).rejects.toBeInstanceOf(page.scope.TypeError)
  expect(page.gate.held).toBe(0)
})

test('captures the body at the time of the call', async () => {
  const form = new page.scope.FormData()
  form.set('name', 'before')
  const bytes = new TextEncoder().encode('before')
  const parameters = new URLSearchParams('name=before')
  const answers = [form, bytes, parameters].map((body) => page.scope.fetch('users', { method: 'POST', body }))
  form.set('name', 'after')
  bytes.fill(0)
  parameters.set('name', 'after')
  page.gate.open()
  await Promise.all(answers)

  const [first, second, third] = page.server.arrivals
  expect(first?.body).toContain('before')
  expect(first?.body).not.toContain('after')
  expect(first?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(second?.body).toBe('before')
  expect(third?.body).toBe('name=before')
})

test('uses the body of a Request, as the platform does', async () => {
  const request = new page.scope.Request('users', { method: 'POST', body: 'text' })
  const answer = page.scope.fetch(request)
  expect(request.bodyUsed).toBe(true)
  await expect(page.scope.fetch(request)).rejects.toBeInstanceOf(page.scope.TypeError)

  page.gate.open()
  expect(await (await answer).json()).toMatchObject({ body: 'text' })
})

test('resolves the URL at the time of the call', async () => {
  const base = page.scope.document.createElement('base')
  base.href = 'before/'
  page.scope.document.head.append(base)
  const answer = page.scope.fetch('users')
  base.href = 'after/'
  page.gate.open()
  await answer

  expect(page.server.lines).toEqual(['GET before/users'])
})

test('keeps every option of the call', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('streamed'))
      controller.close()
    },
  })
  const init = {
    method: 'POST',
    body,
    duplex: 'half',
    cache: 'reload',
    credentials: 'omit',
    integrity: 'sha256-x',
    redirect: 'manual',
    referrerPolicy: 'origin',
    headers: { 'X-Own': 'yes' },
  } as const
  void page.scope.fetch('users', init)
  const request = await openForOne()

  const { headers, body: _body, ...options } = init
  for (const [name, value] of Object.entries(options)) expect(Reflect.get(request, name), name).toBe(value)
  expect(request.headers.get('x-own')).toBe(headers['X-Own'])
  expect(await request.text()).toBe('streamed')
})

test('keeps keepalive and mode', async () => {
  void page.scope.fetch('users', { method: 'POST', body: 'text', keepalive: true, mode: 'no-cors' })
  const { keepalive, mode } = await openForOne()

  expect({ keepalive, mode }).toEqual({ keepalive: true, mode: 'no-cors' })
})

test('is rejected immediately when its signal aborts, and is never sent', async () => {
  const controller = new AbortController()
  const reason = new Error('left the page')
  const answer = page.scope.fetch('users', { signal: controller.signal })
  controller.abort(reason)

  await expect(answer).rejects.toBe(reason)
  expect(page.gate.held).toBe(0)

  page.gate.open()
  await page.server.settle()
  expect(page.server.lines).toEqual([])
})

test('is rejected if its signal has already aborted', async () => {
  const reason = new Error('left the page')

  await expect(page.scope.fetch('users', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await expect(page.scope.fetch(new page.scope.Request('users', { signal: AbortSignal.abort(reason) }))).rejects.toBe(
    reason,
  )
  expect(page.gate.held).toBe(0)
})

test('its signal still works after it is sent', async () => {
  const controller = new AbortController()
  const reason = new Error('left the page')
  const answer = page.scope.fetch('users', { signal: controller.signal })
  page.gate.open()
  controller.abort(reason)

  await expect(answer).rejects.toBe(reason)
})

test.for(['understudy/passthrough', 'msw/passthrough', 'application/json, understudy/passthrough'])(
  'does not hold a bypassed request: %s',
  async (accept) => {
    const response = await page.scope.fetch('users', { method: 'POST', body: 'text', headers: { accept } })

    expect(await response.json()).toEqual({ method: 'POST', path: 'users', body: 'text' })
    expect(page.gate.state).toBe('held')
  },
)

test('does not hold requests that can never be mocked', async () => {
  const url = page.scope.URL.createObjectURL(new page.scope.Blob(['blob']))

  expect(await (await page.scope.fetch(url)).text()).toBe('blob')
  expect(await (await page.scope.fetch('data:,data')).text()).toBe('data')
})

test('a replacement that throws or rejects fails the request', async () => {
  const error = new Error('replacement')
  const [thrown, rejected] = [page.scope.fetch('thrown'), page.scope.fetch('rejected')]
  page.gate.open({
    fetch: (input) => {
      if ((input as Request).url.endsWith('thrown')) throw error
      return Promise.reject(error)
    },
  })

  await expect(thrown).rejects.toBe(error)
  await expect(rejected).rejects.toBe(error)
})

test('a function that was stored while it was held calls the native one, then the replacement', async () => {
  const captured = page.scope.fetch
  page.gate.open()
  expect(page.scope.fetch).toBe(page.gate.natives.fetch)
  expect(await (await captured('native')).json()).toMatchObject({ path: 'native' })
  await expect(captured.call({} as typeof globalThis, 'native')).rejects.toBeInstanceOf(page.scope.TypeError)

  const replacement = vi.fn<typeof fetch>(() => Promise.resolve(new Response('carried')))
  page.gate.open({ fetch: replacement })
  expect(await (await captured('carried', { method: 'POST' })).text()).toBe('carried')
  expect(replacement).toHaveBeenCalledExactlyOnceWith('carried', { method: 'POST' })
})
