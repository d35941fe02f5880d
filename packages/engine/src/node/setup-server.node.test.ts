import { once } from 'node:events'
import http_ from 'node:http'

import axios, { AxiosError } from 'axios'
import { describe, expect, it, vi } from 'vitest'

import { bypass, delay, http, HttpResponse, passthrough, type LifeCycleEvent } from '../index.ts'
import { type Answer, api, askNode, running, listen } from './testing/listen.ts'

/** The same request by each client. */
const clients: [name: string, ask: (url: string, init?: { method?: string; body?: string }) => Promise<Answer>][] = [
  [
    'fetch',
    async (url, init) => {
      const response = await fetch(url, init)
      const { status, statusText, headers } = response
      return { status, statusText, headers: Object.fromEntries(headers), body: await response.text() }
    },
  ],
  ['node:http and node:https', askNode],
  [
    'axios',
    async (url, { method = 'GET', body } = {}) => {
      const response = await axios.request<string>({
        url,
        method,
        data: body,
        responseType: 'text',
        validateStatus: null,
      })
      const { status, statusText, headers, data } = response
      return { status, statusText, headers: headers as Answer['headers'], body: data }
    },
  ],
]

describe.each(clients)('%s', (_name, ask) => {
  it.each([`${api}/user/5`, 'https://api.test/user/5', 'http://api.test:8080/user/5'])(
    'is answered for %s',
    async (url) => {
      listen([
        http.get('*/user/:id', ({ params }) =>
          HttpResponse.json({ id: params.id }, { status: 201, statusText: 'Made up', headers: { 'X-A': 'b' } }),
        ),
      ])
      const answer = await ask(url)
      expect([answer.status, answer.statusText, answer.body]).toEqual([201, 'Made up', '{"id":"5"}'])
      expect(answer.headers).toMatchObject({ 'x-a': 'b', 'content-type': 'application/json', 'content-length': '10' })
    },
  )

  it('sends its body', async () => {
    listen([http.post(`${api}/user`, async ({ request }) => HttpResponse.text(`got ${await request.text()}`))])
    expect((await ask(`${api}/user`, { method: 'POST', body: 'Grüße' })).body).toBe('got Grüße')
  })

  it('receives a stream', async () => {
    const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> => {
      const parts = ['a', 'b', 'c']
      return new ReadableStream({
        async pull(controller) {
          await delay(1)
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(part))
        },
      })
    }
    listen([http.get(`${api}/stream`, () => new HttpResponse(stream()))])
    expect((await ask(`${api}/stream`)).body).toBe('abc')
  })

  it('reaches the real server if no handler matches, or if one passes it through', async () => {
    const heard: string[] = []
    listen([http.get(`${running.origin}/passed`, () => passthrough()), http.get(`${running.origin}/fallen`, () => {})])
    running.server.events.on('response:bypass', async ({ request, response }) => {
      heard.push(
        `${new URL(request.url).pathname} ${response.headers.get('X-Real')} ${(await response.text()).length > 0}`,
      )
    })
    for (const path of ['/unhandled', '/passed', '/fallen']) {
      const answer = await ask(`${running.origin}${path}`)
      expect(JSON.parse(answer.body)).toMatchObject({ method: 'GET', url: path })
    }
    await vi.waitFor(() => expect(heard).toEqual(['/unhandled yes true', '/passed yes true', '/fallen yes true']))
  })

  it('sends its body to the real server, although handlers and listeners have read it', async () => {
    listen([
      http.post(`${running.origin}/user`, async ({ request }) => {
        await request.text()
      }),
    ])
    running.server.events.on('request:start', ({ request }) => request.text())
    const answer = await ask(`${running.origin}/user`, { method: 'POST', body: 'text' })
    expect(JSON.parse(answer.body)).toMatchObject({ method: 'POST', body: 'text' })
  })

  it('fails with a network error, and with the reason as its cause', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.error())])
    const error = await ask(`${api}/user`).then(
      () => undefined,
      (thrown: unknown) => thrown as Error & { cause?: Error },
    )
    expect(error).toBeInstanceOf(Error)
    expect(`${error?.message} ${error?.cause?.message}`).toContain(
      `Failed to answer GET ${api}/user: the handler GET ${api}/user (`,
    )
  })

  it("fails where onUnhandledRequest is 'error'", async () => {
    listen([], { onUnhandledRequest: 'error' })
    await expect(ask(`${api}/user`)).rejects.toBeInstanceOf(Error)
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^\[understudy\] No handler matches GET http:\/\/api\.test\/user \(US0201\)\n/),
    )
  })

  it('emits life-cycle events once for each request', async () => {
    const heard: string[] = []
    listen([http.get(`${api}/user`, () => HttpResponse.json({}))])
    running.server.events.on('*', ({ type }: LifeCycleEvent<'*'>) => heard.push(type))
    await ask(`${api}/user`)
    expect(heard).toEqual(['request:start', 'request:match', 'request:end', 'response:mocked'])
  })
})

describe('a mocked response', () => {
  it('has the URL of its request, and is a Response of the platform', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.json({}))])
    const response = await fetch(`${api}/user?full#top`)
    expect(response).toBeInstanceOf(Response)
    expect([response.url, response.redirected, response.type]).toEqual([`${api}/user?full`, false, 'basic'])
  })

  it('may set several cookies', async () => {
    listen([
      http.get(`${api}/login`, () => {
        const headers = new Headers()
        headers.append('Set-Cookie', 'a=1; Path=/')
        headers.append('Set-Cookie', 'b=2; Expires=Thu, 01 Jan 2099 00:00:00 GMT; HttpOnly')
        return new HttpResponse(null, { headers })
      }),
      http.get(`${api}/user`, ({ cookies }) => HttpResponse.json(cookies)),
    ])
    const expected = ['a=1; Path=/', 'b=2; Expires=Thu, 01 Jan 2099 00:00:00 GMT; HttpOnly']
    expect((await fetch(`${api}/login`)).headers.getSetCookie()).toEqual(expected)
    expect((await askNode(`${api}/login`)).headers['set-cookie']).toEqual(expected)
    expect(await (await fetch(`${api}/user`)).json()).toEqual({ a: '1', b: '2' })
    running.server.cookies.clear()
    expect(await (await fetch(`${api}/user`)).json()).toEqual({})
  })

  it('may depend on a cookie, which the handler reads from the header', async () => {
    listen([
      http.get(`${api}/login`, () => new HttpResponse(null, { headers: { 'Set-Cookie': 'a=1; Path=/' } })),
      http.get(`${api}/user`, ({ request }) => {
        const cookie = request.headers.get('cookie')
        return cookie ? HttpResponse.text(cookie) : new HttpResponse(null, { status: 400 })
      }),
    ])
    expect((await fetch(`${api}/user`)).status).toBe(400)
    expect((await askNode(`${api}/user`)).status).toBe(400)
    await fetch(`${api}/login`)
    const headers = { Cookie: 'b=2' }
    expect(await (await fetch(`${api}/user`)).text()).toBe('a=1')
    expect(await (await fetch(`${api}/user`, { headers })).text()).toBe('b=2; a=1')
    expect((await askNode(`${api}/user`, { headers })).body).toBe('b=2; a=1')
  })

  it('contains the same bytes', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    listen([
      http.get(`${api}/image`, () => HttpResponse.arrayBuffer(bytes, { headers: { 'Content-Type': 'image/png' } })),
    ])
    const response = await fetch(`${api}/image`)
    expect(response.headers.get('Content-Type')).toBe('image/png')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  it.each([204, 205, 304])('may have the status %i, which has no body', async (status) => {
    listen([http.get(`${api}/user`, () => new HttpResponse(null, { status, headers: { ETag: '"1"' } }))])
    const response = await fetch(`${api}/user`)
    expect([response.status, response.headers.get('ETag'), await response.text()]).toEqual([status, '"1"', ''])
    expect(await askNode(`${api}/user`)).toMatchObject({ status, headers: { etag: '"1"' }, body: '' })
  })

  it('may be partial content, with its range', async () => {
    const headers = { 'Content-Range': 'bytes 2-4/10' }
    listen([http.get(`${api}/file`, () => new HttpResponse('cde', { status: 206, headers }))])
    const response = await fetch(`${api}/file`, { headers: { Range: 'bytes=2-4' } })
    expect([response.status, response.statusText]).toEqual([206, 'Partial Content'])
    expect([response.headers.get('Content-Range'), await response.text()]).toEqual(['bytes 2-4/10', 'cde'])
    const answer = await askNode(`${api}/file`, { headers: { Range: 'bytes=2-4' } })
    expect(answer).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-4/10' }, body: 'cde' })
  })

  it('answers HEAD without a body', async () => {
    listen([http.head(`${api}/user`, () => new HttpResponse(null, { headers: { 'Content-Length': '100' } }))])
    const response = await fetch(`${api}/user`, { method: 'HEAD' })
    expect([response.status, response.headers.get('Content-Length'), await response.text()]).toEqual([200, '100', ''])
  })

  it('is followed if it redirects', async () => {
    listen([
      http.get(`${api}/old`, () => HttpResponse.redirect('/user')),
      http.get(`${api}/user`, () => HttpResponse.json({ name: 'Ada' })),
    ])
    const response = await fetch(`${api}/old`)
    expect([response.url, response.redirected, await response.json()]).toEqual([`${api}/user`, true, { name: 'Ada' }])
    const manual = await fetch(`${api}/old`, { redirect: 'manual' })
    expect([manual.status, manual.headers.get('Location')]).toEqual([302, '/user'])
    await expect(fetch(`${api}/old`, { redirect: 'error' })).rejects.toBeInstanceOf(TypeError)
  })

  it('may redirect to a real server', async () => {
    listen([http.get(`${api}/old`, () => HttpResponse.redirect(`${running.origin}/user`, 307))])
    const response = await fetch(`${api}/old`)
    expect([response.redirected, response.url]).toEqual([true, `${running.origin}/user`])
    expect(await response.json()).toMatchObject({ url: '/user' })
  })

  it('is a 500 if the resolver throws', async () => {
    listen([http.get(`${api}/user`, () => Promise.reject(new TypeError('no such user')))])
    const response = await fetch(`${api}/user`)
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error'])
    expect(await response.json()).toMatchObject({ name: 'TypeError', message: 'no such user' })
  })
})

describe('a network error', () => {
  it('is the same as an unreachable host for fetch', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.error())])
    await expect(fetch(`${api}/user`)).rejects.toBeInstanceOf(TypeError)
  })

  it('is an error event for node:http', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.error())])
    const request = http_.get(`${api}/user`)
    const [error] = (await once(request, 'error')) as [Error]
    expect(error.message).toContain(`Failed to answer GET ${api}/user`)
  })

  it('is a network error for axios', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.error())])
    const error = await axios.get(`${api}/user`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AxiosError)
    expect((error as AxiosError).response).toBe(undefined)
  })
})

describe('a request', () => {
  it.each<[name: string, body: () => BodyInit, type: RegExp, sent: RegExp]>([
    ['text', () => 'Grüße', /^text\/plain;charset=UTF-8$/, /^Grüße$/],
    [
      'URLSearchParams',
      () => new URLSearchParams({ a: 'b c' }),
      /^application\/x-www-form-urlencoded;charset=UTF-8$/,
      /^a=b\+c$/,
    ],
    ['a Blob', () => new Blob(['abc'], { type: 'text/css' }), /^text\/css$/, /^abc$/],
    ['bytes', () => new TextEncoder().encode('abc'), /^$/, /^abc$/],
    [
      'FormData',
      () => {
        const data = new FormData()
        data.set('a', 'b')
        return data
      },
      /^multipart\/form-data; ?boundary=/,
      /name="a"\r\n\r\nb\r\n/,
    ],
  ])('may carry %s', async (_name, body, type, sent) => {
    const handler = http.post('*/user', async ({ request }) =>
      HttpResponse.json({ type: request.headers.get('Content-Type') ?? '', body: await request.text() }),
    )
    listen([handler])
    const response = await fetch(`${api}/user`, { method: 'POST', body: body() })
    const read = (await response.json()) as { type: string; body: string }
    expect(read.type).toMatch(type)
    expect(read.body).toMatch(sent)
  })

  it('may carry a form, which a resolver can read with formData()', async () => {
    listen([
      http.post(`${api}/user`, async ({ request }) => {
        const form = await request.formData()
        return HttpResponse.json([form.get('name'), await (form.get('file') as File).text()])
      }),
    ])
    const body = new FormData()
    body.set('name', 'Ada')
    body.set('file', new File(['abc'], 'a.txt'))
    const response = await fetch(`${api}/user`, { method: 'POST', body })
    expect(await response.json()).toEqual(['Ada', 'abc'])
  })

  it('is aborted by its signal, and the finalizers of its resolver run', async () => {
    const ended = vi.fn<() => void>()
    listen([
      http.get(`${api}/slow`, async ({ finalize }) => {
        finalize(ended)
        await delay('infinite')
      }),
    ])
    const controller = new AbortController()
    const response = fetch(`${api}/slow`, { signal: controller.signal })
    const matched = new Promise((resolve) => running.server.events.once('request:match', resolve))
    await matched
    controller.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  it('of a resolver reaches the real server with bypass(), without the mark', async () => {
    listen([
      http.get(`${running.origin}/user`, async ({ request }) => {
        const response = await fetch(bypass(request))
        return HttpResponse.json({ patched: true, ...((await response.json()) as object) })
      }),
    ])
    const response = await fetch(`${running.origin}/user?full`, { headers: { Accept: 'text/html', 'X-A': 'b' } })
    const answer = (await response.json()) as { headers: Record<string, string> }
    expect(answer).toMatchObject({ patched: true, url: '/user?full', headers: { accept: 'text/html', 'x-a': 'b' } })
    expect(JSON.stringify(answer)).not.toContain('understudy')
  })

  it('that is bypassed accepts all options of a request', async () => {
    listen([http.all('*', () => HttpResponse.error())])
    const response = await fetch(bypass(`${running.origin}/user`, { method: 'POST', body: 'text' }))
    const answer = (await response.json()) as { headers: Record<string, string> }
    expect(answer).toMatchObject({ method: 'POST', body: 'text', headers: { 'content-length': '4' } })
    expect(JSON.stringify(answer)).not.toContain('understudy')
    expect(answer.headers['accept'] ?? '*/*').toBe('*/*')
  })
})
