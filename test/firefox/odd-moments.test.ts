/** Tests requests that Firefox does not send to a service worker, and the start and the end of mocking. */
import { setTimeout as wait } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { servePlain } from '../acceptance/serve-plain.ts'
import type { TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { inFirefox } from './firefox.ts'

const start = `(async () => {
  const { http, HttpResponse } = engine
  globalThis.seen = []
  globalThis.worker = setupWorker(
    http.all('/api/user', async ({ request }) => {
      const { method, headers } = request
      if (headers.has('x-kept')) localStorage.setItem('kept', method + ' ' + headers.get('x-kept'))
      seen.push([method, await request.text()].join(' '))
      return HttpResponse.json({ from: 'the mock' })
    }),
  )
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true })
})()`

/** Defines a function on the page. */
const sendByXhr = `globalThis.sendByXhr = (method, body) => {
  const xhr = new XMLHttpRequest()
  xhr.open(method, '/api/user')
  if (body) xhr.setRequestHeader('x-kept', body)
  xhr.send(body)
}`

inFirefox((firefox) => {
  const fixture = servePlain()
  let browser: TestBrowser
  let visit: TestVisit
  beforeAll(async () => {
    browser = await firefox.launch()
  })
  afterAll(() => browser.close())

  const evaluate = (expression: string): Promise<unknown> => visit.page.evaluate(expression)

  beforeEach(async () => {
    visit = await browser.openVisit()
    await visit.page.goto(fixture.origin)
    await visit.page.waitForFunction('globalThis.isReady')
    await evaluate(start)
  })
  afterEach(() => visit.close())

  test('fetch with keepalive is answered, as text, as a Request, and when it is read from a Request', async () => {
    const answers = await evaluate(`Promise.all([
      fetch('/api/user', { keepalive: true, method: 'POST', body: 'text' }),
      fetch(new Request('/api/user', { keepalive: true, method: 'POST', body: 'request' })),
      fetch(new Request('/api/user', { method: 'POST', body: 'init' }), { keepalive: true }),
      fetch('/api/user'),
    ].map(async (response) => (await (await response).json()).from)).then((all) => all.join())`)
    expect(answers).toBe('the mock,the mock,the mock,the mock')
    const seen = String(await evaluate('seen.join()'))
    expect(seen.split(',').toSorted()).toEqual(['GET ', 'POST init', 'POST request', 'POST text'])
    expect(fixture.backend.requests).toEqual([])
  })

  test('an unhandled fetch with keepalive is the platform’s', async () => {
    expect(await evaluate(`fetch('/api/other', { keepalive: true }).then((r) => r.json()).then((r) => r.from)`)).toBe(
      'the backend',
    )
    expect(fixture.backend.requests).toEqual(['GET /api/other'])
  })

  test('beacons are answered', async () => {
    expect(await evaluate(`String(navigator.sendBeacon('/api/user', 'beacon'))`)).toBe('true')
    await expect.poll(() => evaluate('seen.join()')).toBe('POST beacon')
    expect(fixture.backend.requests).toEqual([])
  })

  test('requests in the task of worker.stop() are answered if they are made before it, and not if after it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await evaluate(`(async () => {
        const ask = async () => (await (await fetch('/api/user', { method: 'POST', body: 'a' })).json()).from
        const before = [ask(), ask()]
        worker.stop()
        return (await Promise.all([...before, ask()])).join()
      })()`)
      expect(answers).toBe('the mock,the mock,the backend')
      await evaluate(start)
    }
  })

  test('what scripts open while worker.start() is under way is answered, on a first visit and on a later one', async () => {
    // The worker of the profile has unregistered itself, or controls the page from the start.
    for (const isFirst of [true, false]) {
      await visit.page.reload()
      await visit.page.waitForFunction('globalThis.isReady')
      if (isFirst) {
        await evaluate(
          `navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((each) => each.unregister())))`,
        )
        await visit.page.reload()
        await visit.page.waitForFunction('globalThis.isReady')
      }
      const answers = await evaluate(`(async () => {
        const { http, HttpResponse, sse, ws } = engine
        const link = ws.link('ws://' + location.host + '/api/socket')
        globalThis.worker = setupWorker(
          http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
          link.addEventListener('connection', ({ client }) => client.send('the mock')),
          sse('/api/stream', ({ client }) => client.send({ data: 'the mock' })),
        )
        const isControlled = navigator.serviceWorker.controller !== null
        const started = worker.start({ onUnhandledRequest: 'bypass' })
        // The modules that hold requests load first.
        while (!globalThis[Symbol.for('understudy')]?.gate) await new Promise((resolve) => setTimeout(resolve))
        const { state } = globalThis[Symbol.for('understudy')].gate
        const untilMessage = (target) => new Promise((resolve) => {
          target.addEventListener('message', (event) => resolve(event.data))
          target.addEventListener('error', () => resolve('error'))
        })
        const socket = untilMessage(new WebSocket('ws://' + location.host + '/api/socket'))
        const stream = untilMessage(new EventSource('/api/stream'))
        const user = fetch('/api/user').then((response) => response.json()).then(({ from }) => from)
        await started
        return [isControlled, state, ...(await Promise.all([socket, stream, user]))].join()
      })()`)
      expect(answers).toBe(`${!isFirst},held,the mock,the mock,the mock`)
    }
    expect(fixture.backend.requests).toEqual([])
  })

  const requestAlways = `(${sendByXhr}, void setInterval(() => {
    fetch('/api/user').catch(() => {})
    sendByXhr('GET')
    new Image().src = '/api/user'
    Object.assign(document.createElement('video'), { poster: '/api/user' })
  }, 5))`

  test('requests of a page during a navigation do not reach the network', async () => {
    for (let round = 0; round < 12; round += 1) {
      await evaluate(requestAlways)
      await wait(300)
      await visit.page.goto(fixture.origin)
      await visit.page.waitForFunction('globalThis.isReady')
      await evaluate(start)
    }
    expect(fixture.backend.requests).toEqual([])
  })

  test('the src of an element waits during a navigation that does not replace the page', async () => {
    const answers = await evaluate(`(async () => {
      const { http, HttpResponse } = engine
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'
      let count = 0
      worker.use(http.get('/api/image', () => {
        count += 1
        return new HttpResponse(svg, { headers: { 'Content-Type': 'image/svg+xml' } })
      }))
      dispatchEvent(new Event('beforeunload'))
      const image = new Image()
      image.src = '/api/image'
      await new Promise((resolve) => setTimeout(resolve, 300))
      const before = [image.src === location.origin + '/api/image', image.complete, count]
      await image.decode()
      return [...before, image.naturalWidth, count].join()
    })()`)
    expect(answers).toBe('true,false,0,7,1')
    expect(fixture.backend.requests).toEqual([])
  })

  test.for(['beforeunload', 'pagehide', 'visibilitychange', 'unload'])(
    'requests of a listener for %s do not reach the network',
    async (event) => {
      for (let round = 0; round < 4; round += 1) {
        await evaluate(`(${sendByXhr}, addEventListener('${event}', () => {
          navigator.sendBeacon('/api/user', 'beacon')
          new Image().src = '/api/user'
          sendByXhr('POST', '${event} ${round}')
          for (const keepalive of [true, false])
            fetch('/api/user', { keepalive, method: 'POST', body: 'fetch' }).catch(() => {})
        }))`)
        await (round % 2 === 0 ? visit.page.reload() : visit.page.goto(fixture.origin))
        await visit.page.waitForFunction('globalThis.isReady')
        // Firefox does not send it at all, unless the page answers.
        expect(await evaluate(`localStorage.getItem('kept')`)).toBe(`POST ${event} ${round}`)
        await evaluate(start)
      }
      expect(fixture.backend.requests).toEqual([])
    },
  )

  test('an XMLHttpRequest after beforeunload behaves like others', async () => {
    const record = `(async () => {
      globalThis.Subclass ??= class extends XMLHttpRequest {
        send(body) {
          this.lines = ['send']
          super.send(body)
        }
      }
      const record = (xhr, prepare, isAborted) => new Promise((resolve) => {
        const lines = []
        const note = ({ type, loaded }) => {
          lines.push([type, xhr.readyState, xhr.status, loaded].join(' '))
          // After an abort, Firefox keeps the URL that the standard has it remove.
          if (type === 'loadend') resolve([...lines, !isAborted && xhr.responseURL, xhr.getResponseHeader('content-type'), xhr.lines,
            typeof xhr.response === 'string' ? xhr.response : JSON.stringify(xhr.response)])
        }
        const types = ['readystatechange', 'loadstart', 'load', 'abort', 'error', 'loadend']
        for (const type of types) xhr['on' + type] = note
        prepare(xhr)
        if (isAborted) xhr.abort()
      })
      const get = (xhr) => {
        xhr.open('GET', '/api/user?' + Number(xhr.readyState > 1))
        xhr.send()
      }
      const post = (xhr) => {
        xhr.open('POST', '/api/user')
        xhr.setRequestHeader('content-type', 'text/plain')
        xhr.overrideMimeType('text/plain; charset=utf-8')
        xhr.responseType = 'json'
        xhr.send('body')
      }
      const reused = new XMLHttpRequest()
      return JSON.stringify([
        await record(reused, get), await record(reused, post),
        await record(new Subclass(), post), await record(new XMLHttpRequest(), get, true),
      ])
    })()`
    const usual = await evaluate(record)
    expect(usual).toContain('the mock')
    await evaluate(`void dispatchEvent(new Event('beforeunload'))`)
    expect(await evaluate(record)).toBe(usual)
    await evaluate(`void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    expect(await evaluate(record)).toBe(usual)
    expect(fixture.backend.requests).toEqual([])
  })

  test('a request in the same task as worker.use() is answered if other code has patched fetch', async () => {
    const wrong = await evaluate(`(async () => {
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
    expect(fixture.backend.requests).toEqual([])
  })
})
