/** Tests state changes of the page, the worker or the browser during requests, in Chromium. */
import type { Browser, CDPSession, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import { servePlain } from '../acceptance/serve-plain.ts'

declare global {
  var flood: Promise<unknown>
}

const fixture = servePlain()
let browser: Browser
let visit: Visit
let page: Page
let cdp: CDPSession

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

beforeEach(async ({ onTestFailed }) => {
  visit = await openVisit(browser)
  page = visit.page
  const { console: lines } = visit
  onTestFailed(() => console.error(lines.join('\n')))
  await page.goto(fixture.origin)
  await page.waitForFunction('isReady')
  cdp = await visit.context.newCDPSession(page)
})

afterEach(() => visit.close())

async function startMocking(): Promise<void> {
  await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    globalThis.worker = setupWorker(http.all('/api/user', () => HttpResponse.json({ from: 'the mock' })))
    await worker.start({ onUnhandledRequest: 'bypass' })
  })
}

/** Returns the answer to a GET request of the page. */
function get(path: string): Promise<unknown> {
  return page.evaluate(async (url) => (await fetch(url)).json() as Promise<unknown>, path)
}

const mocked = { from: 'the mock' }

test('the browser aborts the probe that shows whether requests reach the worker, as during a navigation', async () => {
  await page.evaluate(() => {
    const native = globalThis.fetch
    let isEnded = false
    globalThis.fetch = (input, init) => {
      if (isEnded || !(input instanceof URL && input.pathname === '/understudy-worker.js')) return native(input, init)
      isEnded = true
      return Promise.reject(new TypeError('Ended by the test.'))
    }
  })
  await startMocking()
  expect(await get('/api/user')).toEqual(mocked)
  expect(visit.console.join('\n')).toContain('Mocking is on. Handlers: 1.')
  expect(visit.console.join('\n')).not.toContain('in the page itself')
})

describe('“Bypass for network” is switched on while the page runs', () => {
  test('the page answers the next requests, and the console says once what to do', async () => {
    await startMocking()
    await cdp.send('Network.enable')
    await cdp.send('Network.setBypassServiceWorker', { bypass: true })
    // The first request reveals this.
    await get('/api/user')
    await expect.poll(() => visit.console.filter((line) => line.includes('Bypass for network'))).toHaveLength(1)
    // The page loads the code of this message when it needs it.
    await expect
      .poll(() => visit.console)
      .toContain(
        `error: [understudy] Failed to answer a request for ${fixture.origin}/api/user: it did not reach the service worker, and went to the network. Make it again. (US0314)`,
      )
    fixture.backend.forget()
    for (let round = 0; round < 3; round += 1) expect(await get('/api/user')).toEqual(mocked)
    expect(fixture.backend.requests).toEqual([])
    expect(visit.console.filter((line) => line.includes('Bypass for network'))).toHaveLength(1)
  })
})

describe('a probe reaches the network because another worker replaces the one that it asks: the page connects to that one', () => {
  interface State {
    /** Replaces the worker's file, when the next probe waits. */
    write?: (() => Promise<void>) | undefined
    goOn?: () => void
  }

  beforeEach(async ({ onTestFinished }) => {
    const script = await fixture.project.read('public/understudy-worker.js')
    onTestFinished(() => fixture.project.write('public/understudy-worker.js', script))
    await page.exposeFunction('replace', () =>
      fixture.project.write('public/understudy-worker.js', `${script}\n// Another version.`),
    )
    await page.evaluate(() => {
      const native = globalThis.fetch
      const state = globalThis as State
      globalThis.fetch = async (input, init) => {
        const { write } = state
        if (!write || !(input instanceof URL && input.pathname === '/understudy-worker.js')) return native(input, init)
        state.write = undefined
        const { serviceWorker } = navigator
        const changed = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve))
        await write()
        await (await serviceWorker.getRegistration())?.update()
        await changed
        return new Response()
      }
    })
  })

  async function expectWorker(): Promise<void> {
    await page.waitForFunction('!globalThis.write')
    for (let round = 0; round < 3; round += 1) expect(await get('/api/user')).toEqual(mocked)
    expect(visit.console.filter((line) => line.includes('in the page itself'))).toEqual([])
  }

  test('during the start', async () => {
    await page.evaluate('void (globalThis.write = replace)')
    await startMocking()
    await expectWorker()
    expect(fixture.backend.requests).toEqual([])
  })

  test('later', async () => {
    await startMocking()
    await page.evaluate(() => {
      const state = globalThis as State & { replace?: () => Promise<void> }
      const isBypassOff = new Promise<void>((resolve) => {
        state.goOn = resolve
      })
      state.write = () => isBypassOff.then(state.replace)
    })
    // A request that passes the worker by makes the page check whether its requests reach the worker.
    await cdp.send('Network.enable')
    await cdp.send('Network.setBypassServiceWorker', { bypass: true })
    await get('/api/user')
    await page.waitForFunction('!globalThis.write')
    await cdp.send('Network.setBypassServiceWorker', { bypass: false })
    const changed = `new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', () => resolve(1)))`
    await page.evaluate(`(globalThis.changed = ${changed}, goOn())`)
    await page.evaluate('changed')
    await expectWorker()
  })
})

test('a single probe reaches the network while the page runs: the worker still answers', async () => {
  await page.evaluate(() => {
    const native = globalThis.fetch
    const state = globalThis as { probes?: number; goOn?: () => void }
    const isBypassOff = new Promise<void>((resolve) => {
      state.goOn = resolve
    })
    globalThis.fetch = async (input, init) => {
      const isProbe = input instanceof URL && input.pathname === '/understudy-worker.js'
      if (!isProbe || state.probes === undefined) return native(input, init)
      state.probes += 1
      await isBypassOff
      return state.probes === 1 ? new Response() : native(input, init)
    }
  })
  await startMocking()
  await page.evaluate('void (globalThis.probes = 0)')
  await cdp.send('Network.enable')
  await cdp.send('Network.setBypassServiceWorker', { bypass: true })
  // A request that passes the worker by makes the page check whether its requests reach the worker.
  await get('/api/user')
  await page.waitForFunction('globalThis.probes')
  await cdp.send('Network.setBypassServiceWorker', { bypass: false })
  fixture.backend.forget()
  await page.evaluate('goOn()')
  const isInPage = (): boolean => visit.console.some((line) => line.includes('in the page itself'))
  await expect.poll(async () => isInPage() || (await page.evaluate('globalThis.probes > 1'))).toBe(true)
  for (let round = 0; round < 3; round += 1) expect(await get('/api/user')).toEqual(mocked)
  expect(isInPage()).toBe(false)
  expect(fixture.backend.requests).toEqual([])
})

describe('site data is cleared while the page runs', () => {
  test.for(['all', 'service_workers'])(
    '%s: the console names each request that reached the network',
    async (storageTypes) => {
      await startMocking()
      await page.evaluate(() => {
        const ask = async (loop: number): Promise<void> => {
          for (let id = 0; id < 40; id += 1) await (await fetch(`/api/user?${loop}-${id}`)).json()
        }
        globalThis.flood = Promise.all(Array.from({ length: 40 }, (_, loop) => ask(loop)))
      })
      await cdp.send('Storage.clearDataForOrigin', { origin: fixture.origin, storageTypes })
      await page.evaluate('flood')
      // The page has lost its worker, also if all its requests were answered before.
      await expect.poll(() => page.evaluate('navigator.serviceWorker.controller')).toBe(null)
      expect(await get('/api/user')).toEqual(mocked)
      const escaped = fixture.backend.requests.map((line) => line.replace('GET ', fixture.origin))
      const find = (): string[] =>
        visit.console.flatMap((line) => /answer a request for (\S+): it did not reach/.exec(line)?.[1] ?? [])
      await expect.poll(() => find().toSorted()).toEqual(escaped.toSorted())
    },
  )
})

describe('a frame that no service worker controls', () => {
  test('its requests reach the network, and the console says so once', async () => {
    await startMocking()
    await page.evaluate(async () => {
      for (const path of ['/api/user', '/api/user', '/api/other']) {
        const frame = document.createElement('iframe')
        document.body.append(frame)
        await frame.contentWindow?.fetch(location.origin + path)
      }
    })
    const report = `a request for ${fixture.origin}/api/user: it came from the frame about:blank`
    const find = (): string[] => visit.console.filter((line) => line.includes('it came from the frame'))
    await expect.poll(find).toHaveLength(1)
    expect(find()[0]).toContain(report)
    expect(fixture.backend.requests).toHaveLength(3)
  })

  test('a frame that is controlled is not reported', async () => {
    await startMocking()
    const answer = await page.evaluate(async () => {
      const frame = document.createElement('iframe')
      frame.srcdoc = '<p>A frame</p>'
      const loaded = new Promise((resolve) => {
        frame.onload = resolve
      })
      document.body.append(frame)
      await loaded
      return (await frame.contentWindow?.fetch(`${location.origin}/api/user`))?.json() as Promise<unknown>
    })
    expect(answer).toEqual(mocked)
    await expect.poll(() => page.evaluate('performance.now() > 500')).toBe(true)
    expect(visit.console.filter((line) => line.includes('it came from the frame'))).toEqual([])
  })
})

describe('worker.stop() is called', () => {
  test('requests before it in the same task are answered, and requests after it are not', async () => {
    for (let round = 0; round < 20; round += 1) {
      await startMocking()
      const answers = await page.evaluate(async () => {
        const ask = async (): Promise<unknown> => (await fetch('/api/user', { method: 'POST', body: 'a' })).json()
        const before = [ask(), ask()]
        worker.stop()
        const after = ask()
        return Promise.all([...before, after])
      })
      expect(answers).toEqual([mocked, mocked, { from: 'the backend' }])
    }
  })
})

describe('worker.start() is pending', () => {
  test('requests that scripts open meanwhile are answered', async () => {
    const answers = await page.evaluate(async () => {
      const { http, HttpResponse, sse, ws } = engine
      const link = ws.link(`ws://${location.host}/api/socket`)
      globalThis.worker = setupWorker(
        http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
        link.addEventListener('connection', ({ client }) => client.send('the mock')),
        sse('/api/stream', ({ client }) => client.send({ data: 'the mock' })),
      )
      const started = worker.start({ onUnhandledRequest: 'bypass' })
      // The modules that hold requests load first, and how long that takes depends on the load of the machine.
      const scope = globalThis as { [key: symbol]: { gate?: unknown } | undefined }
      while (!scope[Symbol.for('understudy')]?.gate) await new Promise((resolve) => setTimeout(resolve))
      const untilMessage = (target: EventTarget): Promise<unknown> =>
        new Promise((resolve) => {
          target.addEventListener('message', (event) => resolve((event as MessageEvent).data))
          target.addEventListener('error', () => resolve('error'))
        })
      const socket = untilMessage(new WebSocket(`ws://${location.host}/api/socket`))
      const stream = untilMessage(new EventSource('/api/stream'))
      const user = fetch('/api/user').then((response) => response.json())
      await started
      return Promise.all([socket, stream, user])
    })
    expect(answers).toEqual(['the mock', 'the mock', mocked])
    expect(fixture.backend.requests).toEqual([])
  })
})

describe('worker.use() is called', () => {
  test.for(['none', 'before', 'after', 'both'] as const)(
    'a request in the same task is answered; others have patched fetch: %s',
    async (when) => {
      const patch = (): Promise<void> =>
        page.evaluate(() => {
          const below = globalThis.fetch
          globalThis.fetch = function patched(...args) {
            return below.apply(this, args)
          }
          const { prototype } = XMLHttpRequest
          for (const name of ['open', 'send'] as const) {
            const native = prototype[name] as (...args: unknown[]) => void
            Reflect.set(prototype, name, function patched(this: XMLHttpRequest, ...args: unknown[]) {
              native.apply(this, args)
            })
          }
        })
      if (when === 'before' || when === 'both') await patch()
      await startMocking()
      if (when === 'after' || when === 'both') await patch()
      const wrong = await page.evaluate(async () => {
        const { http, HttpResponse, sse } = engine
        const TakenEventSource = EventSource
        const kinds: ((url: string) => Promise<string>)[] = [
          async (url) => (await fetch(url)).text(),
          (url) =>
            new Promise((resolve) => {
              const xhr = new XMLHttpRequest()
              xhr.open('GET', url)
              xhr.onloadend = () => resolve(xhr.responseText)
              xhr.send()
            }),
          (url) =>
            new Promise((resolve) => {
              const source = new TakenEventSource(url)
              source.addEventListener('message', ({ data }) => {
                // It would connect again, even after its handler was removed.
                source.close()
                resolve(String(data))
              })
              source.addEventListener('error', () => resolve('error'))
            }),
        ]
        // An XMLHttpRequest that is created while the gate is open, and sent later.
        const made = Array.from({ length: 60 }, (_, round) => {
          const xhr = new XMLHttpRequest()
          xhr.open('GET', `/api/made-${round}`)
          return xhr
        })
        const seen: string[] = []
        for (const [round, xhr] of made.entries()) {
          const late = `/api/made-${round}`
          worker.use(http.get(late, () => HttpResponse.text(late)))
          const answer = new Promise<string>((resolve) => {
            xhr.onloadend = () => resolve(xhr.responseText)
          })
          xhr.send()
          if ((await answer) !== late) seen.push(`${late}: ${await answer}`)
        }
        for (let round = 0; round < 60; round += 1) {
          if (round % 20 === 0) worker.resetHandlers()
          for (const [kind, ask] of kinds.entries()) {
            const url = `/api/added-${kind}-${round}`
            worker.use(
              kind === 2
                ? sse(url, ({ client }) => {
                    client.send({ data: url })
                    client.close()
                  })
                : http.get(url, () => HttpResponse.text(url)),
            )
            const answer = await ask(url)
            if (answer !== url) seen.push(`${url}: ${answer}`)
          }
        }
        return seen
      })
      expect(wrong).toEqual([])
      expect(fixture.backend.requests).toEqual([])
    },
  )
})
