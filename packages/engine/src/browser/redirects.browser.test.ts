import { expect, inject, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { describeSources } from './testing/describe-sources.ts'

const upstream = inject('upstream')
const url = (path: string): string => new URL(path, location.href).href

describeSources('a redirect', (source) => {
  const { use } = source
  const echo = http.all('/r/end', async ({ request }) =>
    HttpResponse.json({
      method: request.method,
      body: await request.text(),
      type: request.headers.get('content-type'),
      custom: request.headers.get('x-custom'),
    }),
  )

  /** The status, the sent method, and the method and body that the target gets. */
  const methods: [number, string, string, string][] = [
    [301, 'GET', 'GET', ''],
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [302, 'PUT', 'PUT', 'body'],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'DELETE', 'GET', ''],
    [307, 'POST', 'POST', 'body'],
    [308, 'PATCH', 'PATCH', 'body'],
  ]
  test.each(methods)('%i of %s is followed by %s', async (status, method, target, body) => {
    use(
      http.all('/r/start', () => HttpResponse.redirect('/r/end', status)),
      echo,
    )
    const init = { method, headers: { 'X-Custom': 'kept' } }
    const response = await fetch('/r/start', method === 'GET' ? init : { ...init, body: 'body' })
    expect([response.redirected, response.url]).toEqual([true, url('/r/end')])
    expect(await response.json()).toEqual({
      method: target,
      body,
      type: body ? 'text/plain;charset=UTF-8' : null,
      custom: 'kept',
    })
  })

  test('to a HEAD request is followed with HEAD', async () => {
    use(
      http.head('/r/start', () => HttpResponse.redirect('/r/end', 303)),
      http.head('/r/end', () => new HttpResponse(null, { status: 202 })),
    )
    expect((await fetch('/r/start', { method: 'HEAD' })).status).toBe(202)
  })

  test.each([
    ['end', '/r/end'],
    ['../end', '/end'],
    ['?a=1', '/r/start?a=1'],
    ['/r/end#part', '/r/end#part'],
  ])('to %s is relative to the request', async (target, end) => {
    let count = 0
    use(
      http.get('/r/start', () => (count++ === 0 ? HttpResponse.redirect(target) : new HttpResponse('end'))),
      http.get('/r/end', () => new HttpResponse('end')),
      http.get('/end', () => new HttpResponse('end')),
    )
    const response = await fetch('/r/start')
    expect([response.url, await response.text()]).toEqual([url(end).split('#')[0], 'end'])
  })

  test('of several steps is followed to the end', async () => {
    use(
      http.get('/r/step/:left', ({ params }) =>
        HttpResponse.redirect(params.left === '1' ? '/r/end' : `/r/step/${Number(params.left) - 1}`),
      ),
      echo,
    )
    expect((await fetch('/r/step/20')).url).toBe(url('/r/end'))
    await expect(fetch('/r/step/21')).rejects.toThrow(TypeError)
  })

  test('forever fails', async () => {
    use(http.get('/r/loop', () => HttpResponse.redirect('/r/loop')))
    await expect(fetch('/r/loop')).rejects.toThrow(TypeError)
  })

  test('leads to a real URL', async () => {
    use(http.get('/r/out', () => HttpResponse.redirect(`${upstream}/real`)))
    const response = await fetch('/r/out')
    expect([response.redirected, response.url]).toEqual([true, `${upstream}/real`])
    expect(await response.json()).toEqual([])
  })

  test('is opaque with `manual`, and refused with `error`', async () => {
    use(
      http.get('/r/start', () => HttpResponse.redirect('/r/end')),
      echo,
    )
    const manual = await fetch('/r/start', { redirect: 'manual' })
    expect([manual.type, manual.status, manual.url, manual.ok]).toEqual(['opaqueredirect', 0, url('/r/start'), false])
    expect([...manual.headers]).toEqual([])
    await expect(fetch('/r/start', { redirect: 'error' })).rejects.toThrow(TypeError)
  })

  test('without a Location is a response', async () => {
    use(http.get('/r/nowhere', () => new HttpResponse('here', { status: 302 })))
    const response = await fetch('/r/nowhere')
    expect([response.status, response.redirected, await response.text()]).toEqual([302, false, 'here'])
  })

  test('to an invalid URL, or to one with another scheme than http(s), fails', async () => {
    use(http.get('/r/bad', () => new HttpResponse(null, { status: 302, headers: { Location: 'http://' } })))
    use(http.get('/r/data', () => new HttpResponse(null, { status: 302, headers: { Location: 'data:,x' } })))
    await expect(fetch('/r/bad')).rejects.toThrow(TypeError)
    await expect(fetch('/r/data')).rejects.toThrow(TypeError)
  })

  test('sets its cookies before it is followed', async () => {
    use(
      http.get(
        '/r/start',
        () => new HttpResponse(null, { status: 302, headers: { Location: '/r/end', 'Set-Cookie': 'step=1; Path=/' } }),
      ),
      http.get('/r/end', ({ cookies }) => HttpResponse.json(cookies)),
    )
    expect(await (await fetch('/r/start')).json()).toMatchObject({ step: '1' })
  })

  test('does not send the authorization to another origin', async () => {
    const seen: (string | null)[] = []
    use(
      http.get('/r/start', () => HttpResponse.redirect('http://other.test/r/end')),
      http.get('http://other.test/r/end', ({ request }) => {
        seen.push(request.headers.get('authorization'))
        return new HttpResponse(null, { headers: { 'Access-Control-Allow-Origin': '*' } })
      }),
    )
    await fetch('/r/start', { headers: { Authorization: 'Bearer 1' } })
    expect(seen).toEqual([null])
  })
})
