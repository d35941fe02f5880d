/** Requests that Firefox does not show to a service worker, and moments at which mocking begins or ends. */
import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { findFirefox } from '../find-firefox.ts'
import { vite } from '../vite/vite.ts'
import { launchFirefox, type Firefox, type FirefoxTab } from './firefox.ts'

const command = findFirefox()

const start = `(async () => {
  const { http, HttpResponse } = engine
  globalThis.seen = []
  globalThis.worker = setupWorker(
    http.all('/api/user', async ({ request }) => {
      seen.push([request.method, await request.text()].join(' '))
      return HttpResponse.json({ from: 'the mock' })
    }),
  )
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true })
})()`

describe.skipIf(command === undefined)('Firefox', () => {
  let backend: CountingBackend
  let firefox: Firefox
  let project: Project
  let server: RunningServer
  let tab: FirefoxTab

  beforeAll(async () => {
    const script = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
    ;[backend, firefox, project] = await Promise.all([
      startBackend(),
      launchFirefox(command ?? ''),
      createProject('test/fixtures/plain', { 'public/understudy-worker.js': script }),
    ])
    await vite.configure(project, { plugin: null, api: backend.origin })
    server = await vite.start(project)
  })
  afterAll(async () => {
    await Promise.all([firefox.close(), server.stop(), backend.close()])
    await project.dispose()
  })

  beforeEach(async () => {
    tab = await firefox.open(server.origin)
    await tab.evaluate('new Promise((resolve) => setInterval(() => globalThis.isReady && resolve(), 20))')
    await tab.evaluate(start)
  })
  afterEach(async () => {
    await tab.close()
    backend.forget()
  })

  test('fetch with keepalive is answered, as text, as a Request, and when it is read from a Request', async () => {
    const answers = await tab.evaluate(`Promise.all([
      fetch('/api/user', { keepalive: true, method: 'POST', body: 'text' }),
      fetch(new Request('/api/user', { keepalive: true, method: 'POST', body: 'request' })),
      fetch(new Request('/api/user', { method: 'POST', body: 'init' }), { keepalive: true }),
      fetch('/api/user'),
    ].map(async (response) => (await (await response).json()).from)).then((all) => all.join())`)
    expect(answers).toBe('the mock,the mock,the mock,the mock')
    const seen = (await tab.evaluate('seen.join()')) ?? ''
    expect(seen.split(',').toSorted()).toEqual(['GET ', 'POST init', 'POST request', 'POST text'])
    expect(backend.requests).toEqual([])
  })

  test('fetch with keepalive that no handler matches is the platform’s', async () => {
    expect(
      await tab.evaluate(`fetch('/api/other', { keepalive: true }).then((r) => r.json()).then((r) => r.from)`),
    ).toBe('the backend')
    expect(backend.requests).toEqual(['GET /api/other'])
  })

  test('beacons are answered', async () => {
    expect(await tab.evaluate(`String(navigator.sendBeacon('/api/user', 'beacon'))`)).toBe('true')
    await expect.poll(() => tab.evaluate('seen.join()')).toBe('POST beacon')
    expect(backend.requests).toEqual([])
  })

  test('requests that were made before worker.stop() in the same task are answered, those after it are not', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await tab.evaluate(`(async () => {
        const ask = async () => (await (await fetch('/api/user', { method: 'POST', body: 'a' })).json()).from
        const before = [ask(), ask()]
        worker.stop()
        return (await Promise.all([...before, ask()])).join()
      })()`)
      expect(answers).toBe('the mock,the mock,the backend')
      await tab.evaluate(start)
    }
  })

  test('a request in the same task as worker.use() is answered where others have patched fetch', async () => {
    const wrong = await tab.evaluate(`(async () => {
      const below = fetch
      globalThis.fetch = (...args) => below(...args)
      const { http, HttpResponse } = engine
      const wrong = []
      for (let round = 0; round < 100; round += 1) {
        const url = '/api/added-' + round
        worker.use(http.get(url, () => HttpResponse.text(url)))
        const answer = await (await fetch(url)).text()
        if (answer !== url) wrong.push(url)
      }
      return wrong.join()
    })()`)
    expect(wrong).toBe('')
    expect(backend.requests).toEqual([])
  })
})
