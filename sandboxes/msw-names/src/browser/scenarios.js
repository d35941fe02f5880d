/**
 * Scenarios in a browser. `page` and `openTab()` are Playwright's pages of one origin. Functions for `evaluate` run there, with
 * the library as `kit`.
 */
/** Calls start() with a URL without a worker script, while a worker is registered. */
async function startByFindWorker(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/mockServiceWorker.js')
    await navigator.serviceWorker.ready
  })
  // MSW requires a page that the worker controls.
  await page.reload()
  return page.evaluate(async () => {
    const { ask, http, HttpResponse, setupWorker } = kit
    const calls = []
    const worker = setupWorker(http.get('/user', () => HttpResponse.text('mocked')))
    try {
      const registration = await worker.start({
        quiet: true,
        serviceWorker: { url: '/elsewhere.js' },
        findWorker(...given) {
          calls.push(given.map(String))
          return given[0].endsWith('/mockServiceWorker.js')
        },
      })
      return { calls: calls[0], script: registration?.active?.scriptURL, answer: await ask('/user') }
    } catch {
      return { calls: calls[0], isStarted: false }
    }
  })
}

const setCookie = (page, url, credentials) =>
  page.evaluate(
    async ([address, mode]) => {
      const { http, HttpResponse, setupWorker } = kit
      const headers = { 'Set-Cookie': 'session=1' }
      const worker = setupWorker(
        http.get(address, () => HttpResponse.text('in', { headers })),
        http.get('/cookies', ({ cookies }) => HttpResponse.json(cookies)),
      )
      await worker.start({ quiet: true })
      const response = await fetch(address, { credentials: mode })
      await response.text()
      return { shown: document.cookie, next: await (await fetch('/cookies')).json() }
    },
    [url, credentials],
  )

const printedWith = (page, options) =>
  page.evaluate(async (given) => {
    const { ask, http, HttpResponse, later, printed, setupWorker } = kit
    const worker = setupWorker(http.get('/user', () => HttpResponse.text('mocked')))
    await worker.start({ onUnhandledRequest: 'warn', ...given })
    const count = async (run) => {
      printed.length = 0
      await run()
      await later()
      return printed.length > 0
    }
    const atStart = printed.length > 0
    return {
      atStart,
      mocked: await count(() => ask('/user')),
      unhandled: await count(() => ask('/real')),
      atStop: await count(() => worker.stop()),
    }
  }, options)

const requestDuringStart = (page, options) =>
  page.evaluate(async (given) => {
    const { ask, http, HttpResponse, printed, setupWorker } = kit
    const worker = setupWorker(http.get('/user', () => HttpResponse.text('mocked')))
    const starting = worker.start({ quiet: true, ...given })
    const early = await ask('/user')
    await starting
    return { early, late: await ask('/user'), isWarned: printed.some(([method]) => method === 'warn') }
  }, options)

/**
 * The events of an `EventSource` until one has failed, its state then, and how often the handler is asked until the
 * platform would have connected again.
 */
const eventsOf = (page, kind) =>
  page.evaluate(async (given) => {
    const { http, HttpResponse, later, setupWorker, sse } = kit
    let asked = 0
    const handlers = {
      atOnce: sse('/events', ({ client }) => {
        asked += 1
        client.send({ retry: 100 })
        client.error()
      }),
      first: sse('/events', ({ client }) => {
        asked += 1
        client.error()
      }),
      afterMessage: sse('/events', async ({ client }) => {
        asked += 1
        client.send({ retry: 100 })
        client.send({ data: 'first' })
        await later(200)
        client.error()
      }),
      dispatched: sse('/events', async ({ client }) => {
        asked += 1
        client.send({ retry: 100 })
        await later(200)
        client.dispatchEvent(new Event('error'))
      }),
      closed: sse('/events', async ({ client }) => {
        asked += 1
        client.send({ retry: 100 })
        await later(200)
        client.close()
      }),
      networkError: http.get('/events', () => {
        asked += 1
        return HttpResponse.error()
      }),
    }
    const worker = setupWorker(handlers[given])
    await worker.start({ quiet: true })
    const source = new EventSource('/events')
    const log = []
    for (const type of ['open', 'message', 'error']) {
      source.addEventListener(type, ({ data = '' }) => {
        // Later connections repeat the events.
        if (log.length < 4 && !log.some((entry) => entry.startsWith('error')))
          log.push(`${type} ${data} ${source.readyState}`)
      })
    }
    await later(given === 'first' || given === 'networkError' ? 4500 : 2000)
    source.close()
    return { log, isAskedAgain: asked > 1 }
  }, kind)

/** Two tabs, each with a connection; one of them broadcasts. */
async function twoTabs({ page, openTab }, run) {
  const other = await openTab()
  for (const tab of [page, other]) {
    await tab.evaluate(async () => {
      const { connect, setupWorker, ws } = kit
      globalThis.link = ws.link('wss://chat.example.com')
      const worker = setupWorker(link.addEventListener('connection', () => {}))
      await worker.start({ quiet: true })
      globalThis.connection = await connect('wss://chat.example.com')
    })
  }
  const outcome = await page.evaluate(run)
  const received = []
  for (const tab of [page, other]) received.push(await tab.evaluate(() => connection.received))
  return { outcome, received }
}

export const scenarios = {
  'findWorker finds the worker': ({ page }) => startByFindWorker(page),
  'quiet: true': ({ page }) => printedWith(page, { quiet: true }),
  'quiet: false': ({ page }) => printedWith(page, { quiet: false }),
  'a request during start()': ({ page }) => requestDuringStart(page, {}),
  'waitUntilReady: true': ({ page }) => requestDuringStart(page, { waitUntilReady: true }),
  'waitUntilReady: false': ({ page }) => requestDuringStart(page, { waitUntilReady: false }),
  'document.cookie, same origin': ({ page }) => setCookie(page, '/login', 'same-origin'),
  'document.cookie, another origin, credentials: include': ({ page }) =>
    setCookie(page, 'https://api.example.com/login', 'include'),
  'document.cookie, another origin, credentials: same-origin': ({ page }) =>
    setCookie(page, 'https://api.example.com/login', 'same-origin'),
  'the Cookie header in a resolver': ({ page }) =>
    page.evaluate(async () => {
      const { http, HttpResponse, setupWorker } = kit
      const seen = []
      const worker = setupWorker(
        http.get('/user', ({ request }) => {
          seen.push(request.headers.get('cookie'))
          return HttpResponse.text('mocked')
        }),
      )
      await worker.start({ quiet: true })
      document.cookie = 'theme=dark'
      await fetch('/user')
      return seen
    }),
  'client.error() and EventSource': ({ page }) =>
    page.evaluate(async () => {
      const { setupWorker, sse } = kit
      const worker = setupWorker(sse('/events', ({ client }) => client.error()))
      await worker.start({ quiet: true })
      const source = new EventSource('/events')
      const state = await new Promise((resolve) => {
        source.onerror = () => resolve(source.readyState)
      })
      source.close()
      return state
    }),
  ...Object.fromEntries(
    ['first', 'atOnce', 'afterMessage', 'dispatched', 'closed', 'networkError'].map((kind) => [
      `EventSource and a stream that fails: ${kind}`,
      ({ page }) => eventsOf(page, kind),
    ]),
  ),
  'clients of another tab': (given) =>
    twoTabs(given, async () => {
      await kit.later(300)
      return link.clients.size
    }),
  'broadcast to another tab': (given) =>
    twoTabs(given, async () => {
      await kit.later(300)
      link.broadcast('hello')
      await kit.later(300)
    }),
}
