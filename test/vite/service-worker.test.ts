/**
 * Tests which requests the service worker intercepts, in Chromium, with `setupWorker` and without a plugin.
 */
import type { Browser, CDPSession, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { endWorkers } from '../acceptance/chromium.ts'
import { backendAnswer } from '../acceptance/counting-backend.ts'
import { get as getOn, servePlain } from '../acceptance/serve-plain.ts'

const fixture = servePlain()
let browser: Browser
let visit: Visit
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
  await page.goto(fixture.origin)
  await page.waitForFunction('isReady')
  await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    globalThis.worker = setupWorker(
      http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
      http.get('/api/real', () => engine.passthrough()),
    )
    await worker.start()
  })
})

afterEach(() => visit.close())

const get = (path: string, on = page): Promise<unknown> => getOn(path, on)

const mocked = { from: 'the mock' }

test('answers requests that a handler matches, and does not intercept others', async () => {
  expect(await get('/api/user')).toEqual(mocked)
  expect(await get('/api/other')).toEqual(backendAnswer)
  expect(await get('/api/real')).toEqual(backendAnswer)
  expect(fixture.backend.requests).toEqual(['GET /api/other', 'GET /api/real'])
})

describe('when the browser has ended the idle worker', () => {
  let cdp: CDPSession

  beforeEach(async () => {
    cdp = await visit.context.newCDPSession(page)
    await endWorkers(cdp)
  })

  test('the next request is mocked', async () => {
    expect(await get('/api/user')).toEqual(mocked)
    expect(await get('/api/user')).toEqual(mocked)
    expect(fixture.backend.requests).toEqual([])
  })

  test('a request that no handler matches goes to the network', async () => {
    expect(await get('/api/other')).toEqual(backendAnswer)
  })

  test('a new handler answers the next request', async () => {
    const answer = await page.evaluate(async () => {
      worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
      const response = await fetch('/api/new')
      return response.json() as Promise<unknown>
    })
    expect(answer).toEqual(mocked)
    expect(fixture.backend.requests).toEqual([])
  })

  test('a handler that was added just before answers', async () => {
    await page.evaluate(async () => {
      worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
      await fetch('/api/new')
    })
    await endWorkers(cdp)
    expect(await get('/api/new')).toEqual(mocked)
    expect(await get('/api/other')).toEqual(backendAnswer)
    expect(fixture.backend.requests).toEqual(['GET /api/other'])
  })

  test('a worker that lost its table gets new handlers', async () => {
    const answers = await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name)
      worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
      const responses = await Promise.all([fetch('/api/new'), fetch('/api/user')])
      return Promise.all(responses.map((response) => response.json() as Promise<unknown>))
    })
    expect(answers).toEqual([mocked, mocked])
    expect(fixture.backend.requests).toEqual([])
  })

  test('mocking can be ended', async () => {
    await page.evaluate(() => worker.stop())
    expect(await get('/api/user')).toEqual(backendAnswer)
  })

  test('a reload is mocked again', async () => {
    await page.reload()
    await page.waitForFunction('isReady')
    await page.evaluate(async () => {
      globalThis.worker = setupWorker(
        engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
      )
      await worker.start()
    })
    expect(await get('/api/user')).toEqual(mocked)
  })
})

test('the message about a change does not grow with the number of handlers', async () => {
  const told = await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    const messages: string[] = []
    const post = ServiceWorker.prototype.postMessage
    ServiceWorker.prototype.postMessage = function (this: ServiceWorker, message: unknown, options: never) {
      messages.push(JSON.stringify(message))
      post.call(this, message, options)
    }
    worker.use(
      ...Array.from({ length: 1000 }, (_, index) => http.get(`/api/many/${index}`, () => HttpResponse.json(1))),
    )
    worker.use(http.get('/api/new', () => HttpResponse.json({ from: 'the mock' })))
    const [first, second, third] = await Promise.all(
      ['/api/many/999', '/api/new', '/api/user'].map(async (path): Promise<unknown> => (await fetch(path)).json()),
    )
    ServiceWorker.prototype.postMessage = post
    return { lengths: messages.map(({ length }) => length), answers: [first, second, third] }
  })
  expect(told.answers).toEqual([1, mocked, mocked])
  const [many = 0, one = 0] = told.lengths
  expect(many).toBeGreaterThan(50_000)
  expect(one).toBeLessThan(500)
})

test('the worker removes itself when no page mocks any more', async () => {
  await page.reload()
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

test('an unregistered worker that still controls the page is replaced', async () => {
  await page.reload()
  await page.waitForFunction('isReady')
  const seen = await page.evaluate(async () => {
    const before = navigator.serviceWorker.controller
    await (await navigator.serviceWorker.getRegistration())?.unregister()
    globalThis.worker = setupWorker(engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })))
    await worker.start()
    const response = await fetch('/api/user')
    return [before !== null, (await response.json()) as unknown]
  })
  expect(seen).toEqual([true, mocked])
  expect(visit.console.join('\n')).not.toContain('in the page itself')
})

describe('when another script is served for the worker', () => {
  const file = 'public/understudy-worker.js'
  let script: string

  beforeEach(async () => {
    script = await fixture.project.read(file)
  })
  afterEach(() => fixture.project.write(file, script))

  test('the new worker takes over, and pending responses still arrive', async () => {
    await fixture.project.write(file, `${script}\n// edited`)
    const answers = await page.evaluate(async () => {
      const { http, HttpResponse } = engine
      let finish = (): void => {}
      const asked = new Promise<void>((resolve) => {
        worker.use(
          http.get('/api/slow', async () => {
            resolve()
            await new Promise<void>((end) => (finish = end))
            return HttpResponse.json({ from: 'the mock' })
          }),
        )
      })
      const slow = fetch('/api/slow')
      await asked
      const changed = new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
      })
      await (await navigator.serviceWorker.getRegistration())?.update()
      // The browser lets the old one finish.
      finish()
      const first: unknown = await (await slow).json()
      await changed
      const next: unknown = await (await fetch('/api/user')).json()
      return [first, next]
    })
    expect(answers).toEqual([mocked, mocked])
    expect(fixture.backend.requests).toEqual([])
  })

  /** Reloads the page and starts mocking. */
  async function startAnew(): Promise<void> {
    await page.goto('about:blank')
    await page.goto(fixture.origin)
    await page.waitForFunction('isReady')
    await page.evaluate(async () => {
      const { http, HttpResponse } = engine
      globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })))
      await worker.start()
    })
  }

  const unregister = (): Promise<void> =>
    page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.unregister()
    })

  /** Serves the worker of another version. @returns the version of this engine */
  async function serveOtherVersion(): Promise<string> {
    const [version] = /\d+\.\d+\.\d+/.exec(script) ?? ['none']
    await fixture.project.write(file, script.replaceAll(version, '0.0.0'))
    return version
  }

  test('a script of another version is not used: the page answers itself until the server sends the right version', async () => {
    const version = await serveOtherVersion()
    await unregister()
    await startAnew()
    expect(await get('/api/user')).toEqual(mocked)
    expect(visit.console.join('\n')).toMatch(
      new RegExp(
        `in the page itself, because the service worker .* has version 0\\.0\\.0, but the engine has ${version}`,
      ),
    )

    await fixture.project.write(file, script)
    visit.console.length = 0
    await unregister()
    await startAnew()
    expect(await get('/api/user')).toEqual(mocked)
    expect(visit.console.join('\n')).toContain('Mocking is on')
    expect(visit.console.join('\n')).not.toContain('in the page itself')
    expect(fixture.backend.requests).toEqual([])
  })

  test('a worker of another version from an earlier visit is replaced immediately', async () => {
    await serveOtherVersion()
    await unregister()
    await startAnew()
    await fixture.project.write(file, script)
    // Drops long timers: code that waits for an event that has already happened then never continues, and the test fails.
    await page.addInitScript(() => {
      const native = setTimeout
      const patient = (act: () => void, milliseconds = 0) => (milliseconds < 5000 ? native(act, milliseconds) : 0)
      Object.assign(globalThis, { setTimeout: patient })
    })
    visit.console.length = 0
    await startAnew()
    expect(await get('/api/user')).toEqual(mocked)
    expect(visit.console.join('\n')).toContain('Mocking is on')
    expect(visit.console.join('\n')).not.toContain('in the page itself')
    expect(fixture.backend.requests).toEqual([])
  })
})

describe('use()', () => {
  test('a route that the worker does not know yet answers the very next request', async () => {
    const answers = await page.evaluate(async () => {
      const seen: unknown[] = []
      for (let round = 0; round < 10; round += 1) {
        worker.use(engine.http.get(`/api/new/${round}`, () => engine.HttpResponse.json({ from: 'the mock' })))
        const response = await fetch(`/api/new/${round}`)
        seen.push(await response.json())
      }
      return seen
    })
    expect(answers).toEqual(Array(10).fill(mocked))
    expect(fixture.backend.requests).toEqual([])
  })

  test('a new route also answers an XMLHttpRequest, and a request while mocking starts', async () => {
    await page.reload()
    await page.waitForFunction('isReady')
    const answer = await page.evaluate(async () => {
      globalThis.worker = setupWorker()
      const started = worker.start()
      await new Promise((resolve) => setTimeout(resolve))
      worker.use(engine.http.get('/api/late', () => engine.HttpResponse.json({ from: 'the mock' })))
      await started
      return new Promise((resolve) => {
        const xhr = new XMLHttpRequest()
        xhr.open('GET', '/api/late')
        xhr.addEventListener('loadend', () => resolve(JSON.parse(xhr.responseText)))
        xhr.send()
      })
    })
    expect(answer).toEqual(mocked)
  })

  test('resetHandlers() removes the route', async () => {
    await page.evaluate(() => {
      worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
      worker.resetHandlers()
    })
    expect(await get('/api/new')).toEqual(backendAnswer)
  })
})

describe('stop()', () => {
  test('sends the next request to the network, and start() mocks again', async () => {
    const answers = await page.evaluate(async () => {
      const ask = async (): Promise<unknown> => (await fetch('/api/user')).json()
      const before = await ask()
      worker.stop()
      const stopped = [await ask(), await ask()]
      await worker.start()
      return [before, ...stopped, await ask()]
    })
    expect(answers).toEqual([mocked, backendAnswer, backendAnswer, mocked])
  })

  test('a pending response of a handler still arrives', async () => {
    const answer = await page.evaluate(async () => {
      const { http, HttpResponse } = engine
      let finish = (): void => {}
      const asked = new Promise<void>((resolve) => {
        worker.use(
          http.get('/api/slow', async () => {
            resolve()
            await new Promise<void>((end) => (finish = end))
            return HttpResponse.json({ from: 'the mock' })
          }),
        )
      })
      const response = fetch('/api/slow')
      await asked
      worker.stop()
      finish()
      return (await response).json() as Promise<unknown>
    })
    expect(answer).toEqual(mocked)
  })

  test('does not end mocking in other pages', async () => {
    const other = await openPage(visit.context)
    await other.page.goto(fixture.origin)
    await other.page.waitForFunction('isReady')
    await other.page.evaluate(async () => {
      globalThis.worker = setupWorker(
        engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
      )
      await worker.start()
    })
    await page.evaluate(() => worker.stop())
    expect(await get('/api/user', other.page)).toEqual(mocked)
    expect(await get('/api/user')).toEqual(backendAnswer)
  })
})

test('an aborted request fails at once, and does not affect others', async () => {
  const seen = await page.evaluate(async () => {
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
  const chunks = await page.evaluate(async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    worker.use(engine.http.get('/api/stream', () => new engine.HttpResponse(readable)))
    const response = await fetch('/api/stream')
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
    const seen: unknown[] = []
    // Each chunk is written when the previous one was read, so that buffering would block the stream.
    for (const text of ['one', 'two', 'three']) {
      void writer.write(new TextEncoder().encode(text))
      const { value } = await reader.read()
      seen.push(value)
    }
    void writer.close()
    seen.push((await reader.read()).done)
    return seen
  })
  expect(chunks).toEqual(['one', 'two', 'three', true])
})

test('a reader that cancels ends the stream of the handler', async () => {
  const isCancelled = await page.evaluate(async () => {
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

test('a cookie that a mock sets reaches the document and later requests', async () => {
  const seen = await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    worker.use(
      http.post('/api/login', () => new HttpResponse(null, { headers: { 'Set-Cookie': 'session=abc; Path=/' } })),
      http.get('/api/whoami', ({ cookies }) => HttpResponse.json(cookies)),
    )
    await fetch('/api/login', { method: 'POST' })
    return [document.cookie, await (await fetch('/api/whoami')).json()] as unknown
  })
  expect(seen).toEqual(['session=abc', { session: 'abc' }])
})

test('bodies of requests arrive as they were sent', async () => {
  const seen = await page.evaluate(async () => {
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
    return { json, form: formSeen, isSame: echoed.length === bytes.length && echoed.every((b, i) => b === bytes[i]) }
  })
  expect(seen).toEqual({
    json: { a: 'ü' },
    form: ['Ada', 'notes.txt', 'text/plain', 'text of the file'],
    isSame: true,
  })
})

test('a request that a handler has read is sent with its whole body', async () => {
  await page.evaluate(async () => {
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
  const seen = await page.evaluate(async () => {
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

test('requests of a dedicated worker are mocked', async () => {
  const ask = (path: string): Promise<unknown> =>
    page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const asking = new Worker('/asking-worker.js')
          asking.addEventListener('message', ({ data }) => resolve(data))
          asking.postMessage(url)
        }),
      path,
    )
  expect(await ask('/api/user')).toEqual(mocked)
  expect(await ask('/api/other')).toEqual(backendAnswer)

  // The page that made the previous request is closed. The worker must not wait for it.
  await page.reload()
  await page.waitForFunction('isReady')
  await page.evaluate(async () => {
    globalThis.worker = setupWorker(engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })))
    await worker.start()
  })
  expect(await ask('/api/user')).toEqual(mocked)
})

test('requests of elements are mocked', async () => {
  const width = await page.evaluate(async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
    worker.use(
      engine.http.get(
        '/api/image',
        () => new engine.HttpResponse(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
      ),
    )
    const image = new Image()
    image.src = '/api/image'
    await image.decode()
    return image.naturalWidth
  })
  expect(width).toBe(7)
})

test('a network error fails the request like a missing network', async () => {
  const error = await page.evaluate(async () => {
    worker.use(engine.http.get('/api/broken', () => engine.HttpResponse.error()))
    return fetch('/api/broken').catch((reason: Error) => `${reason.name}: ${reason.message}`)
  })
  expect(error).toBe('TypeError: Failed to fetch')
})

test('life-cycle events report the outcome of each request, and its response', async () => {
  const seen = await page.evaluate(async () => {
    const lines: string[] = []
    const names = ['request:start', 'request:match', 'request:unhandled', 'request:end'] as const
    for (const name of names) {
      worker.events.on(name, ({ request }) => lines.push(`${name} ${new URL(request.url).pathname}`))
    }
    worker.events.on('response:mocked', ({ response }) => {
      lines.push(`response:mocked ${new URL(response.url).pathname}`)
    })
    const bypassed: Promise<void>[] = []
    worker.events.on('response:bypass', ({ response }) => {
      const tell = async (): Promise<void> => {
        lines.push(`response:bypass ${new URL(response.url).pathname} ${response.status} ${await response.text()}`)
      }
      bypassed.push(tell())
    })
    for (const path of ['/api/user', '/api/real', '/api/other']) await (await fetch(path)).text()
    while (bypassed.length < 2) await new Promise((resolve) => setTimeout(resolve))
    await Promise.all(bypassed)
    return lines
  })
  const body = JSON.stringify(backendAnswer)
  expect(seen.filter((line) => line.includes('/api/user'))).toEqual([
    'request:start /api/user',
    'request:match /api/user',
    'request:end /api/user',
    'response:mocked /api/user',
  ])
  expect(seen.filter((line) => line.includes('/api/real'))).toEqual([
    'request:start /api/real',
    'request:match /api/real',
    'request:end /api/real',
    `response:bypass /api/real 200 ${body}`,
  ])
  expect(seen.filter((line) => line.includes('/api/other'))).toEqual([
    'request:start /api/other',
    'request:unhandled /api/other',
    'request:end /api/other',
    `response:bypass /api/other 200 ${body}`,
  ])
})

describe('a request that no handler matches', () => {
  async function restart(onUnhandledRequest: 'bypass' | 'warn' | 'error'): Promise<void> {
    await page.evaluate(async (strategy) => {
      worker.stop()
      await worker.start({ onUnhandledRequest: strategy })
    }, onUnhandledRequest)
  }
  const reports = (): string[] => visit.console.filter((line) => line.includes('/api/other'))

  test('"warn" prints a warning with the method and path', async () => {
    await get('/api/other')
    await expect.poll(reports).toHaveLength(1)
    expect(reports()[0]).toMatch(/^warning: \[understudy\] .*GET \/api\/other/)
  })

  test('"warn" does not hold it, so a busy page does not delay it', async () => {
    const [answer, requests] = await page.evaluate(async () => {
      const asked = fetch('/api/other')
      // A synchronous request blocks the page's only thread, so a worker that asks the page would wait forever.
      const xhr = new XMLHttpRequest()
      do {
        xhr.open('GET', '/api/~requests', false)
        xhr.send()
      } while (!xhr.responseText.includes('/api/other'))
      return [(await (await asked).json()) as unknown, JSON.parse(xhr.responseText) as unknown]
    })
    expect(answer).toEqual(backendAnswer)
    expect(requests).toEqual(['GET /api/other'])
  })

  test('"error" fails it, and it does not reach the network', async () => {
    await restart('error')
    const error = await page.evaluate(() => fetch('/api/other').catch((reason: Error) => reason.name))
    expect(error).toBe('TypeError')
    expect(fixture.backend.requests).toEqual([])
    await expect.poll(reports).toHaveLength(1)
    expect(reports()[0]).toMatch(/^error: \[understudy\]/)
  })

  test('"bypass" prints nothing', async () => {
    await restart('bypass')
    expect(await get('/api/other')).toEqual(backendAnswer)
    expect(await get('/api/user')).toEqual(mocked)
    expect(reports()).toEqual([])
  })
})

test('a synchronous XMLHttpRequest, which the blocked page cannot answer, does not wait forever', async () => {
  const answer = await page.evaluate(() => {
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/api/user', false)
    xhr.send()
    return JSON.parse(xhr.responseText) as unknown
  })
  expect(answer).toEqual(backendAnswer)
})

test('the console names a missing worker script on a page that the worker of an earlier visit controls', async () => {
  await page.evaluate(() => setupWorker().start())
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const message = await page.evaluate(() =>
    Promise.race([
      setupWorker()
        .start({ serviceWorker: { url: '/nowhere.js' }, findWorker: () => false })
        .catch((error: Error) => error.message),
      new Promise((resolve) => setTimeout(resolve, 15_000, 'no event in time')),
    ]),
  )
  expect(message).toMatch(/Failed to start mocking: there is no service worker script at http.*\/nowhere\.js/)
})

test('a missing service worker script is reported with its URL', async () => {
  const message = await page.evaluate(() =>
    setupWorker()
      .start({ serviceWorker: { url: '/nowhere.js' } })
      .catch((error: Error) => error.message),
  )
  expect(message).toMatch(/Failed to start mocking: there is no service worker script at http.*\/nowhere\.js/)
})
