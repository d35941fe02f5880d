import { describe, expect, it } from 'vitest'

import { http } from '../../http/http.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { getResponse } from './get-response.ts'

const url = 'https://app.test/user/5'
const user = http.get('https://app.test/user/:id', ({ params }) => HttpResponse.json({ id: params.id }))

it('is the response of the first handler that answers', async () => {
  const handlers = [http.get(url, () => {}), user, http.get(url, () => HttpResponse.text('later'))]
  const response = await getResponse(handlers, new Request(url))
  expect(await response?.json()).toEqual({ id: '5' })
})

it.each<[name: string, handlers: Handler[]]>([
  ['there are no handlers', []],
  ['no handler matches', [http.post(url, () => HttpResponse.json({}))]],
  ['no handler answers', [http.get(url, () => {})]],
  ['a handler lets the request pass', [http.get(url, () => passthrough()), user]],
])('is undefined if %s', async (_name, handlers) => {
  expect(await getResponse(handlers, new Request(url))).toBe(undefined)
})

it('is an error for a network error', async () => {
  const response = await getResponse([http.get(url, () => HttpResponse.error())], new Request(url))
  expect(response?.type).toBe('error')
})

it('leaves the request unread', async () => {
  const request = new Request(url, { method: 'POST', body: 'text' })
  const echo = http.post(url, async (info) => HttpResponse.text(await info.request.text()))
  const response = await getResponse([echo], request)
  expect([await response?.text(), await request.text()]).toEqual(['text', 'text'])
})

it('may be the response of another handler', async () => {
  const outer = http.get(url, ({ request }) => getResponse([user], request))
  const response = await getResponse([outer], new Request(url))
  expect(await response?.json()).toEqual({ id: '5' })
})

it('uses the current items of the list', async () => {
  const handlers = [http.get(url, () => HttpResponse.text('first')), http.get(url, () => HttpResponse.text('second'))]
  const ask = async (): Promise<string | undefined> => (await getResponse(handlers, new Request(url)))?.text()
  expect([await ask(), await ask()]).toEqual(['first', 'first'])
  handlers.reverse()
  expect(await ask()).toBe('second')
  handlers.pop()
  expect(await ask()).toBe('second')
  handlers.pop()
  expect(await ask()).toBe(undefined)
  handlers.push(user)
  expect(await ask()).toBe('{"id":"5"}')
})

describe('relative paths', () => {
  const relative = http.get('/user/:id', ({ params }) => HttpResponse.text(params.id))

  it('are relative to baseUrl', async () => {
    const baseUrl = 'https://app.test'
    expect(await (await getResponse([relative], new Request(url), { baseUrl }))?.text()).toBe('5')
    expect(await getResponse([relative], new Request('https://api.test/user/5'), { baseUrl })).toBe(undefined)
  })

  it('are relative to the page without baseUrl, and match any origin if there is no page', async () => {
    const page = (globalThis as { location?: { origin: string } }).location?.origin
    const response = await getResponse([relative], new Request(`${page ?? 'https://any.test'}/user/5`))
    expect(await response?.text()).toBe('5')
  })
})

describe('refuses', () => {
  it('a value that is not a handler', async () => {
    await expect(getResponse([user, [user] as never], new Request(url))).rejects.toThrow(
      'Failed to get a response: item 2 of argument 1 is an array. Spread it, with three dots: (...handlers).',
    )
  })

  it('a request whose body was read', async () => {
    const request = new Request(url, { method: 'POST', body: 'text' })
    await request.text()
    await expect(getResponse([user], request)).rejects.toThrow(
      `Failed to get a response: the body of POST ${url} was already read. Pass request.clone() to the code that reads it first.`,
    )
  })

  it('a base URL that is not absolute', async () => {
    const relative = http.get('/user', () => HttpResponse.json({}))
    await expect(getResponse([relative], new Request(url), { baseUrl: 'app.test' })).rejects.toThrow(
      'Failed to read the option "baseUrl": "app.test" is not an absolute URL. Pass an absolute URL, such as "https://example.com".',
    )
  })
})
