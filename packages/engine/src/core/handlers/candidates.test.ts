import { expect, test } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { Candidates, couldAnswer } from './candidates.ts'
import { HandlerLayers } from './handler-layers.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { RequestHandler } from './request-handler.ts'

const answer = (): Response => HttpResponse.json({})
const get = (path: string): RequestHandler => http.get(`https://app.test${path}`, answer)

/** Returns the paths of the handlers that could answer a request with this URL object. */
function candidatesOf(layers: HandlerLayers, url: URL, method = 'GET'): string[] {
  const request = new Request(url)
  const incoming = new IncomingRequest({ method, url, request }, 'id', undefined, undefined)
  const candidates = new Candidates(layers, incoming)
  const headers: string[] = []
  for (let next = candidates.next(); next && 'handler' in next; next = candidates.next()) {
    headers.push(next.handler.info.header)
  }
  return headers
}

test('each layer is asked in order, again for each request', () => {
  const layers = new HandlerLayers([get('/user'), get('/:any')])
  layers.use([get('/user')])
  const all = ['GET https://app.test/user', 'GET https://app.test/user', 'GET https://app.test/:any']
  const url = new URL('https://app.test/user')
  expect([candidatesOf(layers, url), candidatesOf(layers, url)]).toEqual([all, all])
})

test('a lookup is not repeated for a URL that has changed since', () => {
  const layers = new HandlerLayers([get('/user'), get('/posts')])
  const url = new URL('https://app.test/user')
  const couldMatch = (method: string): boolean => couldAnswer({ layers, baseUrl: undefined }, method, url)
  expect([couldMatch('GET'), couldMatch('POST'), couldMatch('GET')]).toEqual([true, false, true])
  url.pathname = '/posts'
  expect(candidatesOf(layers, url)).toEqual(['GET https://app.test/posts'])
  url.pathname = '/other'
  expect([couldMatch('GET'), candidatesOf(layers, url)]).toEqual([false, []])
})

test('handlers that are added or removed after a lookup count', () => {
  const layers = new HandlerLayers([get('/user')])
  const url = new URL('https://app.test/late')
  expect(couldAnswer({ layers, baseUrl: undefined }, 'GET', url)).toBe(false)
  layers.use([get('/late')])
  expect(candidatesOf(layers, url)).toEqual(['GET https://app.test/late'])
  layers.use([get('/:any')])
  expect(candidatesOf(layers, url)).toEqual(['GET https://app.test/:any', 'GET https://app.test/late'])
  layers.reset()
  expect(candidatesOf(layers, url)).toEqual([])
})
