import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { http } from '../../http/http.ts'
import { rest } from '../../rest/rest.ts'
import { probeForAsked, probeParameter } from '../../worker/protocol.ts'
import { getGate, type Gate } from '../gate/gate.ts'
import { setupWorker, type SetupWorker } from './setup-worker.ts'

const real = `${inject('upstream')}/`
const serviceWorker = { url: '/understudy-worker.js', options: { scope: '/' } }

const respond = (text: string, path = '/user') => http.get(path, () => HttpResponse.text(text))
const ask = async (path = '/user'): Promise<string> => (await fetch(path)).text()

describe.each([
  ['the service worker', 'worker', true],
  ['the page, beside the service worker', 'page', true],
  ['the page itself', 'worker', false],
] as const)('by way of %s', (_name, answer, isWorker) => {
  let worker: SetupWorker

  beforeEach(async () => {
    vi.spyOn(console, 'info').mockReturnValue(undefined)
    if (!isWorker) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    worker = setupWorker(respond('initial'))
    const registration = await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker, answer })
    expect(registration !== undefined).toBe(isWorker)
  })
  afterEach(() => {
    worker.stop()
    vi.restoreAllMocks()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  test('use() adds handlers, and resetHandlers() removes them', async () => {
    worker.use(respond('runtime'), respond('second'))
    worker.use(respond('last'))
    expect(await ask()).toBe('last')
    worker.resetHandlers()
    expect(await ask()).toBe('initial')
  })

  test('resetHandlers() with a list replaces the initial handlers permanently', async () => {
    worker.use(respond('runtime'))
    worker.resetHandlers(
      respond('replaced'),
      rest.get('/older', (_req, res, ctx) => res(ctx.text('of rest'))),
    )
    expect(await ask()).toBe('replaced')
    expect(await ask('/older')).toBe('of rest')
    worker.use(respond('runtime'))
    worker.resetHandlers()
    expect(await ask()).toBe('replaced')
  })

  test('restoreHandlers() lets `once` handlers answer again', async () => {
    worker.use(http.get('/user', () => HttpResponse.text('once'), { once: true }))
    expect([await ask(), await ask()]).toEqual(['once', 'initial'])
    worker.restoreHandlers()
    expect([await ask(), await ask()]).toEqual(['once', 'initial'])
  })

  test('listHandlers() lists them in the order in which they answer, and printHandlers() prints them', () => {
    const print = vi.mocked(console.info).mockClear()
    worker.use(respond('', '/first'), respond('', '/second'))
    const headers = worker.listHandlers().map(({ info }) => info.header)
    expect(headers).toEqual(['GET /first', 'GET /second', 'GET /user'])
    worker.printHandlers()
    const place = /\(\S+setup-worker\.browser\.test\.ts:\d+:\d+\)$/
    const printed = print.mock.calls.map(([line]) => String(line))
    expect(printed.map((line) => line.replace(place, '(here)'))).toEqual(
      headers.map((header) => `[understudy] ${header} (here)`),
    )
  })

  test('life-cycle events report a request', async () => {
    const told: string[] = []
    worker.events.on('*', ({ type, ...event }) => {
      if ('requestId' in event) told.push(`${type} ${new URL(event.request.url).pathname}`)
    })
    const once = vi.fn<(event: { error: Error }) => void>()
    worker.events.once('unhandledException', once)
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    worker.use(
      http.get('/broken', () => {
        throw new RangeError('no such user')
      }),
    )
    await ask()
    expect((await fetch('/broken')).status).toBe(500)
    expect(once.mock.lastCall?.[0].error).toHaveProperty('message', 'no such user')
    await vi.waitFor(() => expect(told).toContain('response:mocked /broken'))
    expect(told).toEqual([
      ...['request:start', 'request:match', 'request:end', 'response:mocked'].map((type) => `${type} /user`),
      ...['request:start', 'request:match', 'unhandledException', 'request:end', 'response:mocked'].map(
        (type) => `${type} /broken`,
      ),
    ])
    worker.events.removeAllListeners()
    await ask()
    expect(told).toHaveLength(9)
  })

  test('cookies.clear() deletes the cookies of mocked responses; resetHandlers() does not', async () => {
    worker.use(
      http.get('/login', () => new HttpResponse(null, { headers: { 'Set-Cookie': 'session=1; Path=/' } })),
      http.get('/cookies', ({ cookies }) => HttpResponse.json(cookies)),
    )
    await fetch('/login')
    expect(document.cookie).toContain('session=1')
    expect(JSON.parse(await ask('/cookies'))).toMatchObject({ session: '1' })
    worker.resetHandlers(http.get('/cookies', ({ cookies }) => HttpResponse.json(cookies)))
    expect(JSON.parse(await ask('/cookies'))).toMatchObject({ session: '1' })
    worker.cookies.clear()
    expect(document.cookie).not.toContain('session')
    expect(JSON.parse(await ask('/cookies'))).not.toHaveProperty('session')
  })

  test('stop() ends mocking, and start() begins it again with other options', async () => {
    expect(worker.readyState).toBe(1)
    worker.stop()
    expect(worker.readyState).toBe(0)
    expect(await ask()).not.toBe('initial')
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker })
    expect(await ask()).toBe('initial')
  })

  test('stop() ends a start that is under way, and the next start() waits for that', async () => {
    const options = { quiet: true, onUnhandledRequest: 'bypass', serviceWorker, answer } as const
    worker.stop()
    // Before the start has begun, and while it registers the worker.
    for (const turns of [0, 4]) {
      const interrupted = worker.start(options)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      worker.stop()
      expect(worker.readyState).toBe(0)
      await interrupted
      expect(await ask()).not.toBe('initial')
    }

    vi.spyOn(console, 'error').mockReturnValue(undefined)
    void worker.start(options)
    worker.stop()
    await worker.start({ ...options, onUnhandledRequest: 'error' })
    expect(worker.readyState).toBe(1)
    expect(await ask()).toBe('initial')
    // The options of the interrupted start have no effect.
    await expect(fetch('/unknown')).rejects.toThrow(TypeError)
  })

  describe('a request that no handler matches', () => {
    async function restart(options: Parameters<SetupWorker['start']>[0]): Promise<void> {
      worker.stop()
      await worker.start({ quiet: true, serviceWorker, ...options })
    }

    test('fails where the policy is "error"', async () => {
      const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
      await restart({ onUnhandledRequest: 'error' })
      await expect(fetch(real)).rejects.toThrow(TypeError)
      expect(String(error.mock.lastCall?.[0])).toContain(`No handler matches GET ${real}`)
    })

    test.each([
      [
        'onUnhandledRequest',
        (report: (url: string) => void): Parameters<SetupWorker['start']>[0] => ({
          onUnhandledRequest({ url }, print) {
            report(url)
            print.warning()
            throw new Error('not this one')
          },
        }),
      ],
      [
        'onUnhandledFrame',
        (report: (url: string) => void): Parameters<SetupWorker['start']>[0] => ({
          onUnhandledFrame({ frame, defaults }) {
            if (frame.protocol === 'http') report(frame.data.request.url)
            defaults.warn()
            throw new Error('not this one')
          },
        }),
      ],
    ])('is passed to a function as %s', async (_option, create) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
      vi.spyOn(console, 'error').mockReturnValue(undefined)
      const report = vi.fn<(url: string) => void>()
      await restart(create(report))
      await expect(fetch(real)).rejects.toThrow(TypeError)
      expect(report).toHaveBeenCalledExactlyOnceWith(real)
      expect(String(warn.mock.lastCall?.[0])).toContain(`No handler matches GET ${real}`)
    })
  })

  describe('bad input', () => {
    const handlers = [respond('a')]
    const bad = [
      ['an array in an array', [handlers], 'Spread it'],
      ['an object that is not a handler', { path: '/user' }, 'an object with the keys path'],
      ['nothing', undefined, 'undefined'],
    ] as const

    test.each(bad)('%s is refused, and the handlers do not change', async (_what, value, reason) => {
      for (const add of [setupWorker, worker.use, worker.resetHandlers] as ((value: unknown) => void)[]) {
        expect(() => add(value)).toThrow(reason)
        expect(() => add(value)).toThrow(/^Failed to /)
      }
      expect(await ask()).toBe('initial')
    })

    test('an invalid option is refused', async () => {
      worker.stop()
      const started = worker.start({ onUnhandledRequest: 'wran' as 'warn', serviceWorker })
      await expect(started).rejects.toThrow('wran')
    })

    test('a second start() warns, and changes nothing', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
      await worker.start({ serviceWorker })
      expect(String(warn.mock.lastCall?.[0])).toContain('Failed to start the worker: it is already started.')
      expect(await ask()).toBe('initial')
    })
  })
})

describe('on a page that the browser prerenders', () => {
  beforeEach(() => {
    Object.defineProperty(document, 'prerendering', { value: true, configurable: true })
  })
  afterEach(() => {
    Reflect.deleteProperty(document, 'prerendering')
    vi.restoreAllMocks()
  })

  function show(): void {
    Reflect.deleteProperty(document, 'prerendering')
    document.dispatchEvent(new Event('prerenderingchange'))
  }

  test('stop() ends a start that waits for the page to be shown, and the next start() has its own policy', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const worker = setupWorker(respond('initial'))
    const interrupted = worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker })
    // Until the code of the start waits for the page.
    await new Promise((resolve) => setTimeout(resolve))
    await import('./start-mocking.ts')
    worker.stop()
    const started = worker.start({ quiet: true, onUnhandledRequest: 'error', serviceWorker })
    show()
    expect(await interrupted).toBe(undefined)
    await started
    try {
      expect(await ask()).toBe('initial')
      await expect(fetch(real)).rejects.toThrow(TypeError)
    } finally {
      worker.stop()
    }
  })
})

describe('findWorker', () => {
  let worker: SetupWorker
  beforeEach(async () => {
    vi.spyOn(console, 'info').mockReturnValue(undefined)
    worker = setupWorker(respond('initial'))
    await worker.start({ quiet: true, serviceWorker })
    worker.stop()
  })
  afterEach(() => {
    worker.stop()
    vi.restoreAllMocks()
  })

  test('finds the worker among the registered ones, also at another URL', async () => {
    const findWorker = vi.fn<(scriptUrl: string, mockWorkerUrl: string) => boolean>((scriptUrl) =>
      scriptUrl.endsWith('/understudy-worker.js'),
    )
    const registration = await worker.start({ quiet: true, findWorker, serviceWorker: { url: '/elsewhere.js' } })
    expect(findWorker).toHaveBeenCalledWith(
      new URL('/understudy-worker.js', location.href).href,
      new URL('/elsewhere.js', location.href).href,
    )
    expect(registration?.active?.scriptURL).toBe(new URL('/understudy-worker.js', location.href).href)
    expect(await ask()).toBe('initial')
  })

  test('without a match, the worker is registered with its URL', async () => {
    const registration = await worker.start({ quiet: true, findWorker: () => false, serviceWorker })
    expect(registration?.active?.scriptURL).toBe(new URL('/understudy-worker.js', location.href).href)
    expect(await ask()).toBe('initial')
  })
})

test('a request after a new start is never answered by the handlers of the start before, however slowly that one ends', async () => {
  const options = { quiet: true, onUnhandledRequest: 'bypass', serviceWorker } as const
  const worker = setupWorker(respond('before'))
  await worker.start(options)
  const { natives } = getGate() as Gate
  const { fetch: native } = natives
  let isEnded = false
  // The worker reports that it has asked about the requests that were made before stop().
  vi.spyOn(natives, 'fetch').mockImplementation(async (...args) => {
    if (!(args[0] instanceof URL) || args[0].searchParams.get(probeParameter) !== probeForAsked) return native(...args)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    isEnded = true
    return native(...args)
  })
  worker.stop()
  const next = setupWorker(respond('next', '/other'))
  await next.start(options)
  try {
    expect(await ask()).not.toBe('before')
    expect(isEnded).toBe(true)
    expect(await ask('/other')).toBe('next')
  } finally {
    next.stop()
    vi.restoreAllMocks()
  }
})

test('cookies.clear() before the start deletes cookies of an earlier page', async () => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const cookie = { name: 'session', value: '1', domain: location.hostname, path: '/', hostOnly: true, httpOnly: true }
  localStorage.setItem('understudy:cookies', JSON.stringify([{ ...cookie, secure: false, expires: null }]))
  const worker = setupWorker(http.get('/cookies', ({ cookies }) => HttpResponse.json(cookies)))
  worker.cookies.clear()
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker })
  try {
    expect(localStorage.getItem('understudy:cookies')).toBeNull()
    expect(await ask('/cookies')).not.toContain('session')
  } finally {
    worker.stop()
    vi.restoreAllMocks()
  }
})

test.each(['error', null, true])('start(%j) is an error, because it would ignore the strategy', async (options) => {
  const worker = setupWorker()
  const started = worker.start(options as never)
  await expect(started).rejects.toThrow(/Failed to start the worker: its options are .*\. Pass an object\./)
})
