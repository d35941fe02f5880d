import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { inspect } from '../inspect/inspect.ts'
import { createRenderMocking, type RenderMocking } from './render-mocking.ts'

let backend: Server
let api: string
let isOfApp: boolean
let mocking: RenderMocking

beforeEach(async () => {
  backend = createServer((_request, response) => response.end('the backend'))
  await new Promise<void>((resolve) => {
    backend.listen(0, '127.0.0.1', resolve)
  })
  api = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  isOfApp = true
  mocking = createRenderMocking({ file: 'handlers.ts', onUnhandledRequest: 'warn', isOfApp: () => isOfApp })
  mocking.start()
})

afterEach(() => {
  mocking.stop()
  backend.close()
  vi.restoreAllMocks()
})

const handlers = (text: string) => ({ handlers: [http.get('/title', () => HttpResponse.text(text))] })

async function get(path: string): Promise<string> {
  return (await fetch(api + path)).text()
}

test('answers the app, and swaps', async () => {
  await mocking.take(handlers('first'))
  expect(await get('/title')).toBe('first')
  await mocking.take(handlers('second'))
  expect(await get('/title')).toBe('second')
})

test('does not intercept requests of other code, without a message', async () => {
  const warn = vi.spyOn(console, 'warn')
  isOfApp = false
  expect(await get('/title')).toBe('the backend')
  await mocking.take(handlers('mocked'))
  expect([await get('/title'), await get('/other')]).toEqual(['the backend', 'the backend'])
  expect(warn).not.toHaveBeenCalled()
})

test('fails requests until there are handlers, with the reason', async () => {
  await expect(get('/title')).rejects.toMatchObject({
    cause: {
      message: expect.stringMatching(/^Failed to load the handlers of handlers\.ts: a request was made before/),
    },
  })
  const error = mocking.fail(new TypeError('boom'))
  expect(error.message).toMatch(
    /^Failed to load the handlers of handlers\.ts: TypeError: boom \(at .*render-mocking\.node\.test\.ts:\d+:\d+\)\. Fix the error and save the file\. \(US0408\) Until then, requests .* fail\.$/,
  )
  await expect(get('/title')).rejects.toMatchObject({ cause: { message: expect.stringContaining('TypeError: boom') } })
  await mocking.take(handlers('fixed'))
  expect(await get('/title')).toBe('fixed')
})

test('names the line of the project, not a line of a tool or a package', async () => {
  const below = (...frames: string[]): Error =>
    Object.assign(new Error('boom'), {
      stack: ['Error: boom', ...frames.map((frame) => `    at ${frame}`)].join('\n'),
    })
  const { message } = mocking.fail(
    below('read (/app/node_modules/faker/index.js:1:2)', 'file:///app/src/mocks/user.ts:3:4', '/app/src/other.ts:5:6'),
  )
  expect(message).toContain('Error: boom (at /app/src/mocks/user.ts:3:4).')
  expect(mocking.fail(below('fail (/app/node_modules/esbuild/lib/main.js:1:2)')).message).toContain('Error: boom. Fix')
})

test.each([
  ['read (/app/(shop)/[id]/@modal/user.ts:3:4)', '/app/(shop)/[id]/@modal/user.ts:3:4'],
  ['/my apps (copy)/user.ts:3:4', '/my apps (copy)/user.ts:3:4'],
  ['async /app/(shop)/user.ts:3:4', '/app/(shop)/user.ts:3:4'],
  ['Object.read [as get] (file:///my%20apps/(shop)/b%C3%BCcher.ts?t=1:3:4)', '/my apps/(shop)/bücher.ts:3:4'],
  ['file:///C:/my%20apps/(shop)/user.ts:3:4', 'C:/my apps/(shop)/user.ts:3:4'],
  ['read (C:\\my apps (copy)\\user.ts:3:4)', 'C:\\my apps (copy)\\user.ts:3:4'],
  ['eval (eval at <anonymous> (/app/(shop)/a.ts:3:4), <anonymous>:1:2)', '/app/(shop)/a.ts:3:4'],
  ['eval at read (/app/(shop)/a.ts:3:4), <anonymous>:1:2', '/app/(shop)/a.ts:3:4'],
  ['eval (eval at <anonymous> (eval at read (file:///app/a.ts?t=1:3:4)), <anonymous>:1:2)', '/app/a.ts:3:4'],
])('names the line of the project in %s', (frame, place) => {
  const error = Object.assign(new Error('boom'), { stack: `Error: boom\n    at ${frame}` })
  expect(mocking.fail(error).message).toContain(`Error: boom (at ${place}).`)
})

test('keeps the previous handlers if the next ones are invalid', async () => {
  await mocking.take(handlers('good'))
  const wrong: object = { handlers: [1] }
  await expect(mocking.take(wrong)).rejects.toThrow('item 1')
  expect(mocking.fail(new Error('boom')).message).toContain('the previous handlers keep answering')
  expect(await get('/title')).toBe('good')
})

test('calls the handlers module’s export for unhandled requests', async () => {
  const onUnhandledRequest = vi.fn<() => never>(() => {
    throw new Error('not here')
  })
  await mocking.take({ ...handlers('good'), onUnhandledRequest })
  await expect(get('/other')).rejects.toThrow(TypeError)
  isOfApp = false
  expect(await get('/other')).toBe('the backend')
  expect(onUnhandledRequest).toHaveBeenCalledOnce()
})

test('refuses a module whose policy does not exist, and keeps the previous handlers', async () => {
  await mocking.take(handlers('good'))
  await expect(mocking.take({ ...handlers('next'), onUnhandledRequest: 'fail' })).rejects.toThrow(
    '"fail" is not a valid strategy',
  )
  expect(await get('/title')).toBe('good')
})

test("an inspection shows the handlers and the app's requests, but not the tool's", async () => {
  const inspection = inspect(mocking)
  await mocking.take(handlers('mocked'))
  await get('/title')
  isOfApp = false
  await get('/title')
  await new Promise<void>((resolve, reject) => {
    request(`${api}/of-the-tool`, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end()
  })
  const { handlers: seen, requests } = inspection.snapshot()
  expect(seen).toMatchObject([{ header: 'GET /title', hits: 1 }])
  expect(requests.map(({ url, outcome }) => [url, outcome])).toEqual([[`${api}/title`, 'mocked']])

  inspection.override(seen[0]?.id as number, { status: 418 })
  isOfApp = true
  expect((await fetch(`${api}/title`)).status).toBe(418)
})
