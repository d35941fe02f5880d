import { expectTypeOf, test } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { cleanUrl } from '../routing/clean-url.ts'
import { matchRequestUrl } from '../routing/match-request-url.ts'
import { isCommonAssetRequest } from '../unhandled/is-common-asset-request.ts'
import { getResponse } from './get-response.ts'

const handlers = [http.get('/user', () => HttpResponse.json({}))]
const request = new Request('https://example.com/user')

test('a request has a response, or none', () => {
  expectTypeOf(getResponse(handlers, request)).toEqualTypeOf<Promise<Response | undefined>>()
  expectTypeOf(getResponse).toBeCallableWith(handlers, request, { baseUrl: 'https://example.com' })
  expectTypeOf(getResponse).toBeCallableWith(
    http.get('/user', () => undefined),
    request,
  )
  // @ts-expect-error a path is not a handler
  void getResponse('/user', request)
  // @ts-expect-error a URL is not a request
  void getResponse(handlers, 'https://example.com/user')
  // @ts-expect-error a resolver is not a handler
  void getResponse([() => HttpResponse.json({})], request)
})

test('a URL matches or not, with parameters', () => {
  const match = matchRequestUrl(new URL(request.url), '/user/:id')
  expectTypeOf(match.matches).toEqualTypeOf<boolean>()
  expectTypeOf(match.params).not.toBeAny()
  expectTypeOf(match.params?.['id']).toExtend<string | readonly string[] | undefined>()
  // @ts-expect-error a URL is parsed
  matchRequestUrl(request.url, '/user/:id')
  expectTypeOf(cleanUrl('/user?id=5')).toEqualTypeOf<string>()
})

test('a request is one of an asset, or not', () => {
  expectTypeOf(isCommonAssetRequest(request)).toEqualTypeOf<boolean>()
  // @ts-expect-error it is asked about a request
  isCommonAssetRequest('https://example.com/logo.svg')
})
