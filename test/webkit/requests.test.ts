/** Tests requests of a page in WebKit: the service worker answers scripts, elements and streams. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { allMocked, readAnswers } from '../acceptance/first-line.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { get, servePlain } from '../acceptance/serve-plain.ts'
import type { TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { vite } from '../vite/vite.ts'
import { inWebKit } from './webkit.ts'

inWebKit((driver) => {
  const plain = servePlain()
  let backend: CountingBackend
  let project: Project
  let server: RunningServer
  let browser: TestBrowser
  let visit: TestVisit | undefined

  beforeAll(async () => {
    ;[backend, project, browser] = await Promise.all([
      startBackend(),
      createProject('test/fixtures/first-line'),
      driver.launch(),
    ])
    await vite.configure(project, { api: backend.origin })
    server = await vite.start(project)
  })
  afterAll(async () => {
    await Promise.all([server.stop(), backend.close(), browser.close()])
    await project.dispose()
  })
  afterEach(async () => {
    await visit?.close()
    visit = undefined
    expect([...backend.requests, ...plain.backend.requests]).toEqual([])
  })

  test('the first visit, and two later ones: every request of the page is mocked', async () => {
    visit = await browser.openVisit()
    for (let visits = 0; visits < 3; visits += 1) {
      await visit.page.goto(server.origin)
      expect(await readAnswers(visit.page)).toEqual(allMocked)
    }
    expect(await visit.page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  })

  test('fetch, XMLHttpRequest, a stream and an EventSource', async () => {
    visit = await browser.openVisit()
    const { page } = visit
    await page.goto(plain.origin)
    await page.waitForFunction('globalThis.isReady')
    await page.evaluate(async () => {
      const { http, sse, HttpResponse } = engine
      const encoder = new TextEncoder()
      globalThis.worker = setupWorker(
        http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
        http.post('/api/echo', async ({ request }) => HttpResponse.text(await request.text())),
        http.get('/api/broken', () => HttpResponse.error()),
        http.get(
          '/api/stream',
          () =>
            new HttpResponse(
              new ReadableStream({
                async start(controller) {
                  for (const part of ['one ', 'two ', 'three']) {
                    controller.enqueue(encoder.encode(part))
                    await new Promise((resolve) => setTimeout(resolve, 100))
                  }
                  controller.close()
                },
              }),
            ),
        ),
        sse('/api/events', ({ client }) => {
          client.send({ data: 'an event' })
          // WebKitGTK 2.50 delivers the events of a mocked stream when the stream ends.
          client.close()
        }),
      )
      await worker.start({ quiet: true })
    })
    expect(await get('/api/user', page)).toEqual({ from: 'the mock' })
    expect(await page.evaluate("fetch('/api/echo', { method: 'POST', body: 'text' }).then((r) => r.text())")).toBe(
      'text',
    )
    expect(await page.evaluate("fetch('/api/broken').catch((error) => error.name)")).toBe('TypeError')
    expect(await page.evaluate("fetch('/api/stream').then((r) => r.text())")).toBe('one two three')
    const answers = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const xhr = new XMLHttpRequest()
          xhr.open('GET', '/api/user')
          xhr.responseType = 'json'
          xhr.onloadend = () => {
            const source = new EventSource('/api/events')
            source.onmessage = ({ data }) => {
              source.close()
              resolve([xhr.status, xhr.response, data])
            }
          }
          xhr.send()
        }),
    )
    expect(answers).toEqual([200, { from: 'the mock' }, 'an event'])
  })
})
