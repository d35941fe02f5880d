import { describe, expect, test } from 'vitest'

import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { mocked, visitMockedPage } from './mocked-page.ts'
import type { BrowserDriver } from './test-browser.ts'

/** Tests bodies, aborts and redirects through the service worker, with `setupWorker` and without a plugin. */
export function testServiceWorkerBodies(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, bodies, aborts and redirects through the service worker`, () => {
    const { current, fixture } = visitMockedPage(driver)

    test('an aborted request fails at once, and does not affect others', async () => {
      const seen = await current.page.evaluate(async () => {
        const { http, HttpResponse } = engine
        let finish = (): void => {}
        let count = 0
        const controller = new AbortController()
        worker.use(
          http.get('/api/slow', async () => {
            count += 1
            if (count === 1) {
              controller.abort()
              await new Promise<void>((end) => (finish = end))
            }
            return HttpResponse.json({ count })
          }),
        )
        const error = await fetch('/api/slow', { signal: controller.signal }).catch((reason: Error) => reason.name)
        const second: unknown = await (await fetch('/api/slow')).json()
        finish()
        return [error, second, await (await fetch('/api/slow')).json()] as unknown
      })
      expect(seen).toEqual(['AbortError', { count: 2 }, { count: 3 }])
    })

    test('a stream arrives chunk by chunk', async () => {
      const chunks = await current.page.evaluate(async (isHeldBack) => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        const writer = writable.getWriter()
        worker.use(engine.http.get('/api/stream', () => new engine.HttpResponse(readable)))
        const asked = fetch('/api/stream')
        if (isHeldBack) void writer.write(new TextEncoder().encode('zero'))
        const response = await asked
        const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
          .pipeThrough(new TextDecoderStream())
          .getReader()
        const seen: unknown[] = []
        if (isHeldBack) await reader.read()
        // Each chunk is written when the previous one was read, so that buffering would block the stream.
        for (const text of ['one', 'two', 'three']) {
          void writer.write(new TextEncoder().encode(text))
          const { value } = await reader.read()
          seen.push(value)
        }
        void writer.close()
        seen.push((await reader.read()).done)
        return seen
        // Firefox holds a response back until its body has a first byte.
      }, driver.name === 'Firefox')
      expect(chunks).toEqual(['one', 'two', 'three', true])
    })

    test('a reader that cancels ends the stream of the handler', async () => {
      const isCancelled = await current.page.evaluate(async () => {
        const cancelled = new Promise<boolean>((resolve) => {
          const body = new ReadableStream({
            pull: (controller) => controller.enqueue(new TextEncoder().encode('more')),
            cancel: () => resolve(true),
          })
          worker.use(engine.http.get('/api/endless', () => new engine.HttpResponse(body)))
        })
        const response = await fetch('/api/endless')
        await response.body?.cancel()
        return cancelled
      })
      expect(isCancelled).toBe(true)
    })

    test('bodies of requests arrive as they were sent', async () => {
      const seen = await current.page.evaluate(async () => {
        const { http, HttpResponse } = engine
        worker.use(
          http.post('/api/json', async ({ request }) => HttpResponse.json((await request.json()) as object)),
          http.post('/api/form', async ({ request }) => {
            const form = await request.formData()
            const file = form.get('file') as File
            return HttpResponse.json([form.get('name'), file.name, file.type, await file.text()])
          }),
          http.post('/api/binary', async ({ request }) => new HttpResponse(await request.arrayBuffer())),
        )
        const post = (path: string, body: BodyInit): Promise<Response> => fetch(path, { method: 'POST', body })
        const json: unknown = await (await post('/api/json', '{"a":"ü"}')).json()
        const form = new FormData()
        form.set('name', 'Ada')
        form.set('file', new File(['text of the file'], 'notes.txt', { type: 'text/plain' }))
        const formSeen: unknown = await (await post('/api/form', form)).json()
        const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index % 251)
        const echoed = new Uint8Array(await (await post('/api/binary', bytes)).arrayBuffer())
        return {
          json,
          form: formSeen,
          isSame: echoed.length === bytes.length && echoed.every((b, i) => b === bytes[i]),
        }
      })
      expect(seen).toEqual({
        json: { a: 'ü' },
        form: ['Ada', 'notes.txt', 'text/plain', 'text of the file'],
        isSame: true,
      })
    })

    test('a request that a handler has read is sent with its whole body', async () => {
      await current.page.evaluate(async () => {
        worker.use(
          engine.http.post('/api/read', async ({ request }) => {
            await request.text()
          }),
        )
        await fetch('/api/read', { method: 'POST', body: 'text' })
      })
      expect(fixture.backend.requests).toEqual(['POST /api/read'])
      expect(fixture.backend.bodies).toEqual(['text'])
    })

    test('redirects are followed, refused or returned, as the request requires', async () => {
      const seen = await current.page.evaluate(async () => {
        const { http, HttpResponse } = engine
        worker.use(
          http.get('/api/old', () => HttpResponse.redirect('/api/user')),
          http.get('/api/out', () => new HttpResponse(null, { status: 302, headers: { Location: '/api/other' } })),
        )
        const followed = await fetch('/api/old')
        const manual = await fetch('/api/old', { redirect: 'manual' })
        const refused = await fetch('/api/old', { redirect: 'error' }).catch((error: Error) => error.name)
        const out = await fetch('/api/out')
        return {
          followed: [followed.redirected, new URL(followed.url).pathname, await followed.json()],
          manual: manual.type,
          refused,
          out: await out.json(),
        }
      })
      expect(seen).toEqual({
        followed: [true, '/api/user', mocked],
        manual: 'opaqueredirect',
        refused: 'TypeError',
        out: backendAnswer,
      })
    })
  })
}
