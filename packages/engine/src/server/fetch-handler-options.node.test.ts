import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { createFetchHandler } from './create-fetch-handler.ts'

describe('the origin that a server replaces', () => {
  const list = [
    http.get('https://api.test/absolute', ({ request }) => HttpResponse.text(request.url)),
    http.get('/relative', ({ request }) => HttpResponse.text(request.url)),
  ]
  const ask = async (url: string, baseUrl?: string): Promise<string> => {
    const serveAs = createFetchHandler(list, baseUrl === undefined ? {} : { baseUrl })
    return (await serveAs(new Request(url))).text()
  }

  test('is the origin for its handlers', async () => {
    expect(await ask('http://localhost:3000/absolute?a=1', 'https://api.test/v1')).toBe('https://api.test/absolute?a=1')
    expect(await ask('http://localhost:3000/relative', 'https://api.test')).toBe('https://api.test/relative')
    expect(await ask('http://localhost:3000//evil.test/relative', 'https://api.test')).toContain(
      'No handler matches GET https://api.test//evil.test/relative',
    )
  })

  test('is the server’s own by default', async () => {
    expect(await ask('http://localhost:3000/relative')).toBe('http://localhost:3000/relative')
    expect(await ask('http://localhost:3000/absolute')).toContain(
      'origin differs: https://api.test expected, http://localhost:3000 sent',
    )
  })
})

describe('options', () => {
  test('onUnhandledRequest decides what is printed, and may refuse the request', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const request = (): Request => new Request('http://localhost/user')
    expect((await createFetchHandler([])(request())).status).toBe(404)
    expect(warn).not.toHaveBeenCalled()
    expect((await createFetchHandler([], { onUnhandledRequest: 'warn' })(request())).status).toBe(404)
    expect(warn).toHaveBeenCalledOnce()
    await expect(createFetchHandler([], { onUnhandledRequest: 'error' })(request())).rejects.toThrow('no handler')
    expect(error).toHaveBeenCalledOnce()
    const onUnhandledRequest = vi.fn<(request: Request) => void>()
    await createFetchHandler([], { onUnhandledRequest })(request())
    expect(onUnhandledRequest.mock.calls[0]?.[0].url).toBe('http://localhost/user')
    vi.restoreAllMocks()
  })

  test.each<[name: string, make: () => unknown, message: string]>([
    [
      'a list in a list',
      () => createFetchHandler([[http.get('/', () => {})] as never]),
      'Failed to create a server: item 1 of argument 1 is an array. Spread it, with three dots: (...handlers).',
    ],
    [
      'a relative base',
      () => createFetchHandler([], { baseUrl: '/api' }),
      'Failed to create a server: "baseUrl" is the string "/api", which is not an http: or https: URL. Use an absolute URL: "https://api.example.com".',
    ],
    [
      'another scheme',
      () => createFetchHandler([], { baseUrl: 'file:///api' }),
      'Failed to create a server: "baseUrl" is the string "file:///api", which is not an http: or https: URL.',
    ],
    [
      'an unknown word',
      () => createFetchHandler([], { unhandled: 'pass' as never }),
      'Failed to create a server: "unhandled" is the string "pass". Use "not-found" or "passthrough".',
    ],
    [
      'an unknown strategy',
      () => createFetchHandler([], { onUnhandledRequest: 'ignore' as never }),
      'Failed to read the option "onUnhandledRequest": "ignore" is not a valid strategy.',
    ],
  ])('%s is refused', (_, make, message) => {
    expect(make).toThrow(message)
  })
})
