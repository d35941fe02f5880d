import { expectTypeOf, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { typedHttp } from './typed-http.ts'

interface User {
  id: number
  name: string
}

/** As openapi-typescript writes it. */
interface paths {
  '/users/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    get: {
      parameters: { query?: { full?: boolean }; path: { id: number } }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': User } }
        404: { headers: Record<string, unknown>; content: { 'application/json': { problem: string } } }
      }
    }
    put?: never
    post?: never
    delete: {
      parameters: { path: { id: number } }
      responses: { 204: { headers: Record<string, unknown>; content?: never } }
    }
  }
  '/users': {
    get?: never
    post: {
      parameters: { query?: never }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: { 201: { content: { 'application/json': User } } }
    }
  }
}

const api = typedHttp<paths>()

test('params, request and response bodies come from the document', () => {
  api.get('/users/{id}', ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ id: string }>()
    return HttpResponse.json({ id: 1, name: 'Ada' })
  })
  api.get('/users/{id}', () => HttpResponse.json({ problem: 'gone' }, { status: 404 }))
  api.post('/users', async ({ request }) => {
    const body = await request.json()
    expectTypeOf(body).toEqualTypeOf<{ name: string }>()
    return HttpResponse.json({ id: 1, name: body.name }, { status: 201 })
  })
  api.delete('/users/{id}', () => new HttpResponse(null, { status: 204 }))
})

test('what the document does not have is an error', () => {
  expectTypeOf(api).not.toHaveProperty('all')
  // @ts-expect-error no such path
  api.get('/people', () => undefined)
  // @ts-expect-error no such method
  api.get('/users', () => undefined)
  // @ts-expect-error the body lacks the name
  api.get('/users/{id}', () => HttpResponse.json({ id: 1 }))
  // @ts-expect-error the parameter is called id
  api.get('/users/{id}', ({ params }) => void params.user)
})
