import { expect, test } from 'vitest'

import { http } from '../../http/http.ts'
import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import { HttpResponse } from '../responses/http-response.ts'

const origin = 'https://app.test'

test('a request shows cookies as soon as a mocked response has set one', async () => {
  const headersOf: Record<string, Headers> = {}
  const network = new Network([
    http.get(`${origin}/*`, ({ request }) => {
      headersOf[new URL(request.url).pathname] = request.headers
      return new HttpResponse(null, { headers: { 'Set-Cookie': 'session=5' } })
    }),
  ])
  const cookieOf = async (
    path: string,
    init: RequestInit = {},
  ): Promise<[isChanged: boolean, cookie: string | null]> => {
    await handleRequest(new Request(origin + path, { credentials: 'include', ...init }), network)
    const headers = headersOf[path] as Headers
    return [Object.hasOwn(headers, 'get'), headers.get('cookie')]
  }

  // To change the methods of headers takes longer than to create the request.
  expect(await cookieOf('/first')).toEqual([false, null])
  expect(await cookieOf('/second')).toEqual([true, 'session=5'])
  expect(await cookieOf('/third', { headers: { Cookie: 'own=1' } })).toEqual([true, 'own=1; session=5'])
  expect(await cookieOf('/omitted', { credentials: 'omit' })).toEqual([true, null])
  network.cookies?.clear()
  expect(await cookieOf('/own', { headers: { Cookie: 'own=1' } })).toEqual([false, 'own=1'])
  network.cookies = undefined
  expect(await cookieOf('/other')).toEqual([false, null])
})
