/** Tests answers that take longer than Firefox keeps an idle service worker: 30 seconds, or 60 during a request. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createProject } from '../acceptance/project.ts'
import { servePlain } from '../acceptance/serve-plain.ts'
import type { TestBrowser, TestPage } from '../acceptance/test-browser.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

/** The code of the handlers, which the page evaluates. */
const start = `(async () => {
  while (!globalThis.isReady) await new Promise((resolve) => setTimeout(resolve, 20))
  const { http, sse, HttpResponse } = engine
  const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  globalThis.connections = 0
  globalThis.worker = setupWorker(
    http.get('/api/late', async () => {
      await wait(75)
      return HttpResponse.text('late')
    }),
    http.get('/api/stream', () => new HttpResponse(new ReadableStream({
      async start(controller) {
        for (let part = 0; part <= 4; part += 1) {
          controller.enqueue(new TextEncoder().encode(part + ' '))
          await wait(15)
        }
        controller.close()
      },
    }))),
    sse('/api/events', ({ client }) => {
      connections += 1
      client.send({ data: 'first' })
      setTimeout(() => client.send({ data: 'last' }), 60_000)
    }),
    http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
  )
  await worker.start({ quiet: true })
})()`

/** A page whose handlers answer at once, so that only responses of the network need its service worker. */
const startPassing = `(async () => {
  while (!globalThis.isReady) await new Promise((resolve) => setTimeout(resolve, 20))
  globalThis.worker = setupWorker(engine.http.get('/api/*', () => engine.passthrough()))
  await worker.start({ quiet: true })
})()`

/** Starts a real server. `/api/late` responds after 75 seconds, `/api/stream` sends a part every 15 seconds. */
async function startSlowServer(): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/api/late') {
        await wait(75_000)
        response.end('late')
        return
      }
      for (let part = 0; part <= 4; part += 1) {
        response.write(`${part} `)
        await wait(15_000)
      }
      response.end()
    })()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return server
}

inFirefox((firefox) => {
  const fixture = servePlain()
  let browser: TestBrowser
  let page: TestPage
  beforeAll(async () => {
    browser = await firefox.launch()
    page = (await browser.openVisit()).page
    await page.goto(fixture.origin)
    await page.evaluate(start)
  })
  afterAll(() => browser.close())

  test.concurrent('handlers, streams and event streams take as long as they need', { timeout: 180_000 }, async () => {
    const [late, stream, events] = await Promise.all([
      page.evaluate("fetch('/api/late').then((r) => r.text(), String)"),
      page.evaluate("fetch('/api/stream').then((r) => r.text()).catch(String)"),
      page.evaluate(`new Promise((resolve) => {
        const seen = []
        const source = new EventSource('/api/events')
        source.onerror = () => seen.push('error')
        source.onmessage = ({ data }) => {
          seen.push(data)
          if (data === 'last') resolve(JSON.stringify([...seen, connections]))
        }
      })`),
    ])
    expect({ late, stream, events }).toEqual({ late: 'late', stream: '0 1 2 3 4 ', events: '["first","last",1]' })
    expect(fixture.backend.requests).toEqual([])
  })

  test.concurrent(
    'real responses to passthrough requests take as long as they need',
    { timeout: 180_000 },
    async () => {
      const server = await startSlowServer()
      const script = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
      const project = await createProject('test/fixtures/plain', { 'public/understudy-worker.js': script })
      await vite.configure(project, { plugin: null, api: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
      const devServer = await vite.start(project)
      const visit = await browser.openVisit()
      await visit.page.goto(devServer.origin)
      await visit.page.evaluate(startPassing)
      const [late, stream, xhr] = await Promise.all([
        visit.page.evaluate("fetch('/api/late').then((r) => r.text()).catch(String)"),
        visit.page.evaluate("fetch('/api/stream').then((r) => r.text()).catch(String)"),
        visit.page.evaluate(`new Promise((resolve) => {
        const xhr = new XMLHttpRequest()
        xhr.open('GET', '/api/stream')
        xhr.onload = xhr.onerror = xhr.onabort = ({ type }) => resolve(type + ': ' + xhr.responseText)
        xhr.send()
      })`),
      ])
      await Promise.all([visit.close(), devServer.stop()])
      await project.dispose()
      server.closeAllConnections()
      server.close()
      expect({ late, stream, xhr }).toEqual({ late: 'late', stream: '0 1 2 3 4 ', xhr: 'load: 0 1 2 3 4 ' })
    },
  )

  test('a synchronous XMLHttpRequest ends', async () => {
    const answer = await page.evaluate(`(() => {
      const xhr = new XMLHttpRequest()
      xhr.open('GET', '/api/user', false)
      const begin = performance.now()
      try { xhr.send() } catch (error) { return error.name }
      return xhr.responseText + (performance.now() - begin > 20_000 ? ' after a freeze' : '')
    })()`)
    expect(answer).toBe('{"from":"the backend"}')
    expect(await page.evaluate("fetch('/api/user').then((r) => r.text())")).toBe('{"from":"the mock"}')
  })
})
