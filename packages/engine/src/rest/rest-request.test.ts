import { describe, expect, test } from 'vitest'

import { cookieJarOf } from '../core/network/cookie-jar-of.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { rest } from './rest.ts'
import { ask, baseUrl, createNetwork, post } from './testing/ask-handlers.ts'

describe('req', () => {
  test('has the properties of the request', async () => {
    const handler = rest.post('/user/:id', (req, res, ctx) =>
      res(
        ctx.json({
          url: req.url instanceof URL && req.url.href,
          search: req.url.searchParams.getAll('tag'),
          method: req.method,
          params: req.params,
          header: req.headers.get('x-test'),
          all: req.headers.all()['x-test'],
          credentials: req.credentials,
          cache: req.cache,
          mode: req.mode,
          redirect: req.redirect,
          keepalive: req.keepalive,
          integrity: req.integrity,
          destination: req.destination,
          strings: [typeof req.id, typeof req.referrer, typeof req.referrerPolicy],
        }),
      ),
    )
    const response = await ask(handler, '/user/5?tag=a&tag=b', {
      method: 'POST',
      body: 'x',
      cache: 'no-store',
      credentials: 'include',
      redirect: 'manual',
      headers: { 'X-Test': 'yes' },
    })
    expect(await response.json()).toEqual({
      url: `${baseUrl}/user/5?tag=a&tag=b`,
      search: ['a', 'b'],
      method: 'POST',
      params: { id: '5' },
      header: 'yes',
      all: 'yes',
      credentials: 'include',
      cache: 'no-store',
      mode: 'cors',
      redirect: 'manual',
      keepalive: false,
      integrity: '',
      destination: '',
      strings: ['string', 'string', 'string'],
    })
  })

  test('headers contain the cookies', async () => {
    const told: (string | boolean | null)[] = []
    const network = createNetwork([
      rest.post('/login', ({ headers }, res, ctx) => {
        told.push(headers.has('Cookie'), headers.get('cookie'), headers.get('x-sent'))
        headers.set('cookie', 'changed=1')
        told.push(headers.get('Cookie'))
        return res(ctx.cookie('session', '1'))
      }),
    ])
    // In a page, the cookies of earlier tests remain.
    cookieJarOf(network).clear()
    const init: RequestInit = { method: 'POST', headers: { 'X-Sent': 'yes' }, credentials: 'include' }
    await handleRequest(new Request(`${baseUrl}/login`, init), network)
    expect(told.splice(0)).toEqual([false, null, 'yes', 'changed=1'])
    await handleRequest(new Request(`${baseUrl}/login`, init), network)
    expect(told).toEqual([true, 'session=1', 'yes', 'changed=1'])
    cookieJarOf(network).clear()
  })

  test('id is that of the life-cycle events', async () => {
    const ids: string[] = []
    const network = createNetwork([
      rest.get('/x', (req, res) => {
        ids.push(req.id)
        return res()
      }),
    ])
    network.events.on('request:start', ({ requestId }) => ids.push(requestId))
    await handleRequest(new Request(`${baseUrl}/x`), network)
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  const form = new FormData()
  form.append('name', 'Ada')
  form.append('tag', 'a')
  form.append('tag', 'b')
  form.append('__proto__', 'x')

  test.each<[string, RequestInit, unknown]>([
    ['JSON', post('{"a":1}', 'application/json'), { a: 1 }],
    ['JSON with a suffix and a charset', post('[1]', 'application/vnd.api+json; charset=utf-8'), [1]],
    ['a JSON value that is false', post('false', 'application/json'), false],
    ['broken JSON, as text', post('{"a":', 'application/json'), '{"a":'],
    ['text', post('hello', 'text/plain'), 'hello'],
    ['a urlencoded form, as text', post(new URLSearchParams({ a: '1', b: '2' })), 'a=1&b=2'],
    ['a broken multipart form, as text', post('--x\r\nnothing', 'multipart/form-data; boundary=x'), '--x\r\nnothing'],
    ['no body of a POST', { method: 'POST' }, ''],
  ])('body: %s', async (_title, init, expected) => {
    const handler = rest.post('/x', (req, res, ctx) => res(ctx.json([req.body])))
    expect(await (await ask(handler, '/x', init)).json()).toEqual([expected])
  })

  test('body: undefined for a GET', async () => {
    const handler = rest.get('/x', (req, res, ctx) => res(ctx.text(typeof req.body)))
    expect(await (await ask(handler, '/x')).text()).toBe('undefined')
  })

  test('body: a multipart form as a record, which reaches no prototype', async () => {
    let record: unknown
    const handler = rest.post('/x', (req, res) => {
      record = req.body
      return res()
    })
    await ask(handler, '/x', post(form))
    expect(Object.getPrototypeOf(record)).toBe(null)
    expect(Object.entries(record as object)).toEqual([
      ['name', 'Ada'],
      ['tag', ['a', 'b']],
      ['__proto__', 'x'],
    ])
  })

  test('body: a file of a multipart form, byte for byte', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10, 128])
    const upload = new FormData()
    upload.append('file', new File([bytes], 'a.bin', { type: 'image/png' }))
    let file: File | undefined
    const handler = rest.post<{ file: File }>('/x', (req, res) => {
      file = req.body.file
      return res()
    })
    await ask(handler, '/x', post(upload))
    expect([file?.name, file?.type]).toEqual(['a.bin', 'image/png'])
    expect(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes)
  })

  test('json(), text() and arrayBuffer() read once, and body any number of times', async () => {
    const handler = rest.post('/x', async (req, res, ctx) => {
      const before = req.bodyUsed
      const copy = req.clone()
      const json = await req.json()
      const failed = await req.text().catch((error: unknown) => String(error))
      return res(
        ctx.json({
          before,
          after: req.bodyUsed,
          json,
          failed,
          body: [req.body, req.body],
          copy: [copy.bodyUsed, await copy.text(), copy.url.pathname],
          bytes: (await req.clone().arrayBuffer()).byteLength,
        }),
      )
    })
    expect(await (await ask(handler, '/x', post('{"a":1}', 'application/json'))).json()).toEqual({
      before: false,
      after: true,
      json: { a: 1 },
      failed: expect.stringContaining('its body was already read'),
      body: [{ a: 1 }, { a: 1 }],
      copy: [false, '{"a":1}', '/x'],
      bytes: 7,
    })
  })
})
