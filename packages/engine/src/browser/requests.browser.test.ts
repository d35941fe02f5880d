import { expect, inject, test, vi } from 'vitest'

import { delay } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { http } from '../http/http.ts'
import { describeSources } from './testing/describe-sources.ts'

const bytes = new Uint8Array([0, 255, 128, 10, 13, 195, 40])
const json = { headers: { 'Content-Type': 'application/json' } }

/** The sent bodies, with the text and content type that a handler reads. */
const bodies: [name: string, create: () => RequestInit, text: string, type: string | null][] = [
  ['JSON', () => ({ body: '{"a":"ü"}', ...json }), '{"a":"ü"}', 'application/json'],
  ['text', () => ({ body: 'grüße' }), 'grüße', 'text/plain;charset=UTF-8'],
  [
    'URLSearchParams',
    () => ({ body: new URLSearchParams({ a: 'b c' }) }),
    'a=b+c',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ],
  ['a Blob', () => ({ body: new Blob(['blob'], { type: 'text/x' }) }), 'blob', 'text/x'],
  ['an empty string', () => ({ body: '' }), '', 'text/plain;charset=UTF-8'],
  ['nothing', () => ({}), '', null],
]

describeSources('a request', (source) => {
  const { isWorker, use } = source

  /** Returns the properties of the next request in its handler. */
  function nextRequest(path = '*/q'): Promise<Request> {
    return new Promise((resolve) => {
      use(
        http.all(path, ({ request }) => {
          resolve(request.clone())
          return HttpResponse.json({ ok: true })
        }),
      )
    })
  }

  test.each(bodies)('with %s as its body is read completely', async (_name, create, text, type) => {
    const seen = nextRequest()
    await fetch('/q', { method: 'POST', ...create() })
    const request = await seen
    expect([request.headers.get('content-type'), await request.text()]).toEqual([type, text])
  })

  test.each([
    ['an ArrayBuffer', () => bytes.slice().buffer],
    ['a typed array', () => new Uint8Array([9, ...bytes, 9]).subarray(1, 8)],
    ['a DataView', () => new DataView(bytes.slice().buffer)],
    ['a Blob', () => new Blob([bytes])],
  ])('with %s is read byte for byte', async (_name, create) => {
    const seen = nextRequest()
    await fetch('/q', { method: 'PUT', body: create() })
    expect(await (await seen).bytes()).toEqual(bytes)
  })

  test('of a form has its fields and files', async () => {
    const seen = nextRequest()
    const form = new FormData()
    form.append('name', 'Ada "the" ü')
    form.append('name', 'again')
    form.append('file', new File([bytes], 'ü b.bin', { type: 'application/x-thing' }))
    form.append('empty', new File([], 'empty.txt', { type: 'text/plain' }))
    await fetch('/q', { method: 'POST', body: form })
    const read = await (await seen).formData()
    expect(read.getAll('name')).toEqual(['Ada "the" ü', 'again'])
    const [file, empty] = [read.get('file') as File, read.get('empty') as File]
    expect([file.name, file.type, await file.bytes()]).toEqual(['ü b.bin', 'application/x-thing', bytes])
    expect([empty.name, empty.type, empty.size]).toEqual(['empty.txt', 'text/plain', 0])
  })

  test('of 100 MB is read completely', { timeout: 60_000 }, async () => {
    const part = crypto.getRandomValues(new Uint8Array(64 * 1024))
    const body = new Blob(Array<BlobPart>(1600).fill(part))
    const digest = async (data: Blob | Request): Promise<string> =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', await data.arrayBuffer())).join()
    const seen = new Promise<[number, string]>((resolve, reject) => {
      use(
        http.post('/q', ({ request }) => {
          request.blob().then(async (blob) => resolve([blob.size, await digest(blob)]), reject)
          return new HttpResponse()
        }),
      )
    })
    await fetch('/q', { method: 'POST', body })
    expect(await seen).toEqual([1600 * 64 * 1024, await digest(body)])
  })

  test.each(['OPTIONS', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'GET', 'REPORT'])(
    'of method %s arrives with this method',
    async (method) => {
      const seen = nextRequest()
      expect((await fetch('/q', { method })).status).toBe(200)
      expect((await seen).method).toBe(method)
    },
  )

  test('keeps its headers and modes', async () => {
    const seen = nextRequest()
    await fetch('/q?a=1&a=2', {
      method: 'POST',
      body: 'x',
      headers: [
        ['X-Custom', 'one'],
        ['x-custom', 'two'],
        ['Authorization', 'Bearer 1'],
      ],
      credentials: 'include',
      cache: 'no-store',
      keepalive: true,
      referrer: '/from',
      referrerPolicy: 'same-origin',
      priority: 'high',
    })
    const request = await seen
    expect(request.url).toBe(new URL('/q?a=1&a=2', location.href).href)
    expect([request.headers.get('x-custom'), request.headers.get('authorization')]).toEqual(['one, two', 'Bearer 1'])
    const { credentials, cache, keepalive, referrerPolicy, mode } = request
    expect({ credentials, cache, keepalive, referrerPolicy, mode }).toEqual({
      credentials: 'include',
      cache: 'no-store',
      keepalive: true,
      referrerPolicy: 'same-origin',
      mode: 'cors',
    })
    expect(request.referrer).toBe(new URL('/from', location.href).href)
  })

  test.each(['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'] as const)(
    'of cache mode %s is answered each time',
    async (cache) => {
      let count = 0
      use(http.get('/q', () => HttpResponse.json(++count, { headers: { 'Cache-Control': 'max-age=1000' } })))
      const ask = async (): Promise<unknown> => (await fetch('/q', { cache, mode: 'same-origin' })).json()
      expect([await ask(), await ask()]).toEqual([1, 2])
    },
  )

  test('has cookies by its credentials', async () => {
    document.cookie = 'page=1; Path=/'
    use(http.get('*/q', ({ cookies }) => HttpResponse.json(cookies)))
    const ask = async (url: string, credentials: RequestCredentials): Promise<unknown> =>
      ((await (await fetch(url, { credentials })).json()) as { page?: string }).page
    expect(await ask('/q', 'same-origin')).toBe('1')
    expect(await ask('/q', 'include')).toBe('1')
    expect(await ask('/q', 'omit')).toBeUndefined()
    expect(await ask('http://other.test/q', 'include')).toBeUndefined()
    document.cookie = 'page=; Path=/; Max-Age=0'
  })

  test('has its cookies in a header for its handler', async () => {
    document.cookie = 'page=1; Path=/'
    use(
      http.post('/login', ({ request }) => {
        if (!request.headers.get('cookie')?.includes('page=1')) return new HttpResponse(null, { status: 400 })
        return new HttpResponse(null, { headers: { 'Set-Cookie': 'session=2; Path=/' } })
      }),
      http.get('/q', ({ request }) => HttpResponse.text(request.headers.get('Cookie') ?? '')),
    )
    expect((await fetch('/login', { method: 'POST', body: 'name=Ada' })).status).toBe(200)
    expect((await (await fetch('/q')).text()).split('; ')).toEqual(expect.arrayContaining(['page=1', 'session=2']))
    document.cookie = 'page=; Path=/; Max-Age=0'
    expect((await fetch('/login', { method: 'POST', body: 'name=Ada' })).status).toBe(400)
  })

  test('may be a Request, and its clone', async () => {
    use(http.post('/q', async ({ request }) => HttpResponse.text(await request.text())))
    const request = new Request('/q', { method: 'POST', body: 'body' })
    const copy = request.clone()
    expect(await (await fetch(request)).text()).toBe('body')
    expect(request.bodyUsed).toBe(true)
    expect(await (await fetch(copy, { method: 'POST', body: 'another' })).text()).toBe('another')
  })

  test('may be read by its handler and cloned there', async () => {
    use(
      http.post('/q', async ({ request }) => {
        const copy = request.clone()
        return HttpResponse.json([await request.text(), await copy.text(), request.bodyUsed])
      }),
    )
    expect(await (await fetch('/q', { method: 'POST', body: 'x' })).json()).toEqual(['x', 'x', true])
  })

  test('of mode no-cors is answered', async () => {
    const seen = nextRequest('http://other.test/q')
    await fetch('http://other.test/q', { method: 'POST', body: 'x', mode: 'no-cors' })
    const request = await seen
    expect([request.mode, await request.text()]).toEqual(['no-cors', 'x'])
  })

  test('that the platform refuses is refused', async () => {
    await expect(fetch('http://')).rejects.toThrow(TypeError)
    const withBody = { method: 'GET', body: 'x' }
    await expect(fetch('/q', withBody)).rejects.toThrow(TypeError)
    await expect(fetch('/q', { method: 'TRACE' })).rejects.toThrow(TypeError)
  })

  test.each([
    ['a string', () => 'text', 'text'],
    ['a Blob', () => new Blob(['{"a":1}'], { type: 'application/json' }), '{"a":1}'],
    ['URLSearchParams', () => new URLSearchParams({ a: '1' }), 'a=1'],
    ['nothing', () => undefined, ''],
  ])('of sendBeacon with %s arrives', async (_name, create, text) => {
    const seen = nextRequest()
    expect(navigator.sendBeacon('/q', create())).toBe(true)
    const request = await seen
    expect([request.method, await request.text()]).toEqual(['POST', text])
  })

  test('of sendBeacon with a form arrives', async () => {
    const seen = nextRequest()
    const form = new FormData()
    form.set('file', new File([bytes], 'f.bin'))
    navigator.sendBeacon('/q', form)
    const file = (await (await seen).formData()).get('file') as File
    expect([file.name, await file.bytes()]).toEqual(['f.bin', bytes])
  })

  test('that was already aborted fails with its reason, and no handler gets it', async () => {
    const resolver = vi.fn<() => Response>(() => new HttpResponse())
    use(http.get('/q', resolver))
    const reason = new Error('not needed')
    await expect(fetch('/q', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(resolver).not.toHaveBeenCalled()
  })

  test('that is aborted while the resolver runs fails with its reason, and aborts the resolver’s signal (not behind a worker in Chromium)', async () => {
    const controller = new AbortController()
    const finalized = vi.fn<() => void>()
    const heard = new Promise<boolean>((resolve) => {
      use(
        http.get('/q', async ({ request, finalize }) => {
          finalize(finalized)
          request.signal.addEventListener('abort', () => resolve(true))
          setTimeout(() => controller.abort(new Error('changed my mind')), 50)
          await delay('infinite')
        }),
      )
    })
    await expect(fetch('/q', { signal: controller.signal })).rejects.toThrow('changed my mind')
    // Chromium does not report the abort to a service worker (docs/service-worker.md).
    if (isWorker) return
    expect(await heard).toBe(true)
    await vi.waitFor(() => expect(finalized).toHaveBeenCalledOnce())
  })

  test('that times out fails with the platform’s error', async () => {
    use(http.get('/q', () => delay('infinite') as never))
    await expect(fetch('/q', { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('that is aborted while its response is read ends the response with an error', async () => {
    const controller = new AbortController()
    const cancelled = new Promise((resolve) => {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(bytes),
        cancel: resolve,
      })
      use(http.get('/q', () => new HttpResponse(body)))
    })
    const reader = (await fetch('/q', { signal: controller.signal })).body!.getReader()
    await reader.read()
    controller.abort()
    await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' })
    await cancelled
  })

  test('whose text() is aborted in mid-body rejects as that of the platform', async () => {
    const controller = new AbortController()
    use(http.get('/q', () => new HttpResponse(new ReadableStream({ start: (stream) => stream.enqueue(bytes) }))))
    const response = await fetch('/q', { signal: controller.signal })
    const text = response.text()
    controller.abort()
    await expect(text).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('that is aborted after its response has no effect', async () => {
    const controller = new AbortController()
    use(http.get('/q', () => HttpResponse.text('answer')))
    const text = await (await fetch('/q', { signal: controller.signal })).text()
    controller.abort()
    expect(text).toBe('answer')
    expect((await fetch('/q')).status).toBe(200)
  })

  test('is one of 200 concurrent ones, and each gets its own response', async () => {
    use(
      http.post('/many/:id', async ({ params, request }) => {
        if (Number(params.id) % 3 === 0) await delay(Number(params.id) % 20)
        return HttpResponse.json([params.id, await request.text()])
      }),
    )
    const ids = Array.from({ length: 200 }, (_, index) => String(index))
    const answers = await Promise.all(
      ids.map(async (id) => (await fetch(`/many/${id}`, { method: 'POST', body: `body ${id}` })).json() as unknown),
    )
    expect(answers).toEqual(ids.map((id) => [id, `body ${id}`]))
  })

  test('with an invalid escape in its URL is answered, and the escape is unchanged', async () => {
    use(http.get('/item/:name', ({ params }) => HttpResponse.json(params)))
    expect(await (await fetch('/item/%E0%A4%A')).json()).toEqual({ name: '%E0%A4%A' })
  })

  test('with a parameter named __proto__ reaches no prototype', async () => {
    use(http.get('/:__proto__/:constructor', ({ params }) => HttpResponse.json(Object.entries(params))))
    expect(await (await fetch('/a/b')).json()).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  test('has the bytes of header values that are not ASCII, for its handler and for the server', async () => {
    const value = '\u00c3\u00bc \u00e2\u0080\u00a6'
    const headers = { 'last-event-id': value }
    const received = nextRequest()
    expect((await fetch('/q', { headers })).status).toBe(200)
    expect((await received).headers.get('last-event-id')).toBe(value)

    const real = `${inject('upstream')}/headers`
    use(http.get(real, () => passthrough()))
    expect(await (await fetch(real, { headers })).json()).toMatchObject(headers)
  })

  test('is still answered after use() refused a value that is not a handler', async () => {
    use(http.get('/q', () => HttpResponse.text('answer')))
    expect(() => use([http.get('/q', () => new HttpResponse())] as never)).toThrow('Failed to add handlers')
    expect(() => use({} as never)).toThrow('Failed to add handlers')
    expect(await (await fetch('/q')).text()).toBe('answer')
  })
})

describeSources('what is streamed up', ({ isWorker, use }) => {
  test('is read by its handler', async () => {
    use(http.post('/q', async ({ request }) => HttpResponse.text(await request.text())))
    const body = new Blob(['one', 'two']).stream()
    const sent = fetch('/q', { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect(await (await sent).text()).toBe('onetwo')
  })

  // With a worker, the browser follows redirects. On a busy machine, Chromium sometimes waits forever.
  test.skipIf(isWorker)('is not sent again to the target of a redirect', async () => {
    use(
      http.post('/q', () => HttpResponse.redirect('/end', 307)),
      http.post('/end', () => new HttpResponse()),
    )
    // A call that is held until the worker has the handlers becomes a Request, which does not show that its body is a stream.
    await fetch('/end', { method: 'POST' })
    const body = new Blob(['one']).stream()
    await expect(fetch('/q', { method: 'POST', body, duplex: 'half' } as RequestInit)).rejects.toThrow(TypeError)
  })
})

describeSources('a request with its integrity', ({ use }) => {
  // echo -n 'grüße' | openssl dgst -sha256 -binary | base64
  const right = 'sha256-goXRrYTGtuR107UNv5A4nIx6B6J42a5G1WmMvocuODQ='

  async function ask(integrity: string): Promise<string> {
    const body = await new Response(
      new Blob(['grüße']).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer()
    use(
      http.get('/start', () => HttpResponse.redirect('/q')),
      http.get('/q', () => HttpResponse.arrayBuffer(body, { headers: { 'Content-Encoding': 'gzip' } })),
    )
    const texts = new Set<string>()
    for (const path of ['/q', '/start']) {
      const response = await fetch(path, { integrity })
      expect(response.url).toBe(new URL('/q', location.href).href)
      texts.add(await response.text())
    }
    return [...texts].join()
  }

  test.each([right, `${right}?option`, `sha256-AAAA ${right}`, `nonsense ${right}`, 'nonsense'])(
    'with a matching integrity is answered: %s',
    async (integrity) => {
      expect(await ask(integrity)).toBe('grüße')
    },
  )

  test.each(['sha256-AAAA', `sha512-AAAA ${right}`])('with another integrity fails: %s', async (integrity) => {
    await expect(ask(integrity)).rejects.toThrow(TypeError)
  })
})
