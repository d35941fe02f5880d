import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import { setupWorker, type SetupWorker } from '../browser/start/setup-worker.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { rest } from './rest.ts'

const upstream = inject('upstream')

let worker: SetupWorker | undefined

afterEach(() => {
  worker?.cookies.clear()
  worker?.stop()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

describe.each([
  ['the service worker', true],
  ['the page itself', false],
])('handlers of rest, by way of %s', (_name, hasServiceWorker) => {
  async function start(...handlers: Handler[]): Promise<void> {
    if (!hasServiceWorker) {
      vi.spyOn(console, 'info').mockImplementation(() => {})
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    }
    worker = setupWorker(...handlers)
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  }

  test('read bodies: JSON, and a form with a file', async () => {
    await start(
      rest.post('/rest/body', (req, res, ctx) => {
        const body = req.body as Record<string, unknown>
        const { file } = body
        return res(ctx.json(file instanceof File ? { ...body, file: [file.name, file.size] } : body))
      }),
    )
    const headers = { 'Content-Type': 'application/json' }
    const asJson = await fetch('/rest/body', { method: 'POST', headers, body: '{"name":"Ada"}' })
    expect(await asJson.json()).toEqual({ name: 'Ada' })
    const form = new FormData()
    form.append('tag', 'a')
    form.append('tag', 'b')
    form.append('file', new File([new Uint8Array([0, 255])], 'a.bin'))
    const asForm = await fetch('/rest/body', { method: 'POST', body: form })
    expect(await asForm.json()).toEqual({ tag: ['a', 'b'], file: ['a.bin', 2] })
  })

  test('set cookies, which the document has', async () => {
    await start(
      rest.post('/rest/login', (_req, res, ctx) =>
        res(
          ctx.status(201),
          ctx.cookie('rest-theme', 'dark & blue', { path: '/' }),
          ctx.cookie('rest-a', '1', { path: '/' }),
        ),
      ),
      rest.get('/rest/me', (req, res, ctx) => res(ctx.json(req.cookies))),
    )
    expect((await fetch('/rest/login', { method: 'POST' })).status).toBe(201)
    expect(document.cookie.split('; ')).toEqual(expect.arrayContaining(['rest-theme=dark%20%26%20blue', 'rest-a=1']))
    expect(await (await fetch('/rest/me')).json()).toMatchObject({ 'rest-theme': 'dark & blue', 'rest-a': '1' })
  })

  test('fail like the network', async () => {
    await start(rest.get('/rest/down', (_req, res) => res.networkError('Failed to connect')))
    await expect(fetch('/rest/down')).rejects.toThrow(TypeError)
  })

  test('answer once, and again when they are restored', async () => {
    await start(
      rest.get('/rest/once', (_req, res, ctx) => res.once(ctx.text('once'))),
      rest.get('/rest/once', (_req, res, ctx) => res(ctx.text('always'))),
    )
    const ask = async () => (await fetch('/rest/once')).text()
    expect([await ask(), await ask()]).toEqual(['once', 'always'])
    worker?.restoreHandlers()
    expect([await ask(), await ask()]).toEqual(['once', 'always'])
  })

  test('send requests to the real server, and pass requests through to it', async () => {
    await start(
      rest.get(`${upstream}/rest/patched`, async (req, res, ctx) => {
        const original = await ctx.fetch(req)
        return res(ctx.json({ original: await original.json(), patched: true }))
      }),
      rest.get(`${upstream}/rest/real`, (req) => req.passthrough()),
    )
    expect(await (await fetch(`${upstream}/rest/patched`)).json()).toEqual({ original: [], patched: true })
    expect(await (await fetch(`${upstream}/rest/real`)).json()).toEqual([])
  })
})
