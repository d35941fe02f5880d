import { expect, test } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { typedHttp } from './typed-http.ts'

interface paths {
  '/users/{id}': {
    get: {
      parameters: { path: { id: number } }
      responses: { 200: { content: { 'application/json': { id: string } } } }
    }
  }
}

test('accepts paths in the syntax of OpenAPI', async () => {
  const api = typedHttp<paths>()
  const handlers = [api.get('/users/{id}', ({ params }) => HttpResponse.json({ id: params.id }))]
  const response = await getResponse(handlers, new Request('http://localhost/users/5'), { baseUrl: 'http://localhost' })
  expect(await response?.json()).toEqual({ id: '5' })
})

test('resolves paths against a base URL', async () => {
  const api = typedHttp<paths>({ baseUrl: 'https://api.example.com/v1/' })
  const handlers = [api.get('/users/{id}', ({ params }) => HttpResponse.json({ id: params.id }))]
  expect(handlers[0]?.info.header).toBe('GET https://api.example.com/v1/users/:id')
  expect(handlers[0]?.info.callSite?.file).toContain('typed-http.test')
  expect(await getResponse(handlers, new Request('https://api.example.com/v1/users/5'))).toBeInstanceOf(Response)
  expect(await getResponse(handlers, new Request('https://api.example.com/users/5'))).toBe(undefined)
})
