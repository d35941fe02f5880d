import { expectTypeOf, test } from 'vitest'

import { bypass } from './bypass.ts'
import { delay } from './delay.ts'
import { HttpResponse } from './http-response.ts'
import { isPassthroughResponse, passthrough } from './passthrough.ts'

test('a response has the type of its body', () => {
  expectTypeOf(HttpResponse.json({ id: 5 })).toEqualTypeOf<HttpResponse<{ id: number }>>()
  expectTypeOf(HttpResponse.text('plain')).toEqualTypeOf<HttpResponse<string>>()
  expectTypeOf(HttpResponse.text<'plain'>('plain')).toEqualTypeOf<HttpResponse<'plain'>>()
  expectTypeOf(HttpResponse.error()).toEqualTypeOf<HttpResponse<never>>()
  expectTypeOf(HttpResponse.formData(new FormData())).toEqualTypeOf<HttpResponse<FormData>>()
  expectTypeOf(new HttpResponse(null, { status: 204 })).toExtend<Response>()
  expectTypeOf(HttpResponse.redirect('/end', 303)).toExtend<Response>()
})

test('bytes may be in a buffer of either kind, as those of a Buffer of Node are', () => {
  expectTypeOf(HttpResponse.arrayBuffer(new Uint8Array().buffer as ArrayBufferLike)).toExtend<Response>()
  expectTypeOf(HttpResponse.arrayBuffer(new ArrayBuffer())).toEqualTypeOf<HttpResponse<ArrayBuffer>>()
  expectTypeOf(HttpResponse.arrayBuffer(new SharedArrayBuffer())).toExtend<HttpResponse<SharedArrayBuffer>>()
  expectTypeOf(HttpResponse.arrayBuffer<ArrayBuffer>(new ArrayBuffer())).toEqualTypeOf<HttpResponse<ArrayBuffer>>()
  expectTypeOf(HttpResponse.arrayBuffer()).toEqualTypeOf<HttpResponse<ArrayBuffer>>()
})

test('streams and files of Node are bodies', () => {
  const stream = {} as AsyncIterable<Uint8Array>
  const file = {} as { size: number; type: string; name: string; arrayBuffer(): Promise<ArrayBuffer> }
  expectTypeOf(new HttpResponse(stream)).toExtend<Response>()
  expectTypeOf(new HttpResponse(file)).toExtend<Response>()
})

test('a body of which TypeScript knows only that it is there, as in generated handlers, is accepted', () => {
  const body = null as unknown
  if (body !== undefined) expectTypeOf(new HttpResponse(body)).toExtend<Response>()
  if (body) expectTypeOf(new HttpResponse(body, { status: 202 })).toExtend<Response>()
})

test('an invalid body is a type error', () => {
  // @ts-expect-error a symbol is not JSON
  HttpResponse.json(Symbol('user'))
  // @ts-expect-error text is text
  HttpResponse.text({ id: 5 })
  // @ts-expect-error a form is a FormData
  HttpResponse.formData({ id: '5' })
  // @ts-expect-error text is not bytes
  HttpResponse.arrayBuffer('text')
  // @ts-expect-error an object is not a body: use HttpResponse.json()
  expectTypeOf(new HttpResponse({ id: 5 }))
  // @ts-expect-error neither is an object of a declared type
  expectTypeOf(new HttpResponse({} as { id?: number }))
  // @ts-expect-error a list is not a body: use HttpResponse.json()
  expectTypeOf(new HttpResponse([]))
  // @ts-expect-error a number is not a body
  expectTypeOf(new HttpResponse(5))
  // @ts-expect-error an unknown body may be undefined or a number: check it, or use HttpResponse.json()
  expectTypeOf(new HttpResponse(null as unknown))
  // @ts-expect-error a status is a number
  expectTypeOf(new HttpResponse(null, { status: '204' }))
  // @ts-expect-error a redirect leads somewhere
  HttpResponse.redirect()
})

test('a delay is milliseconds, or one of two words', () => {
  expectTypeOf(delay()).toEqualTypeOf<Promise<void>>()
  expectTypeOf(delay).toBeCallableWith(100)
  expectTypeOf(delay).toBeCallableWith('real')
  expectTypeOf(delay).toBeCallableWith('infinite')
  // @ts-expect-error there is no such word
  void delay('forever')
})

test('bypass() takes what fetch takes, and makes a request', () => {
  expectTypeOf(bypass('https://example.com', { method: 'POST' })).toEqualTypeOf<Request>()
  expectTypeOf(bypass(new URL('https://example.com'))).toEqualTypeOf<Request>()
  expectTypeOf(bypass(new Request('https://example.com'))).toEqualTypeOf<Request>()
  // @ts-expect-error a response is not a request
  bypass(new Response())
})

test('passthrough() is a response, and can be recognized', () => {
  // As in MSW, so that a function that declares the body of its response may return it.
  expectTypeOf(passthrough()).toExtend<HttpResponse<{ id: number }>>()
  expectTypeOf(passthrough()).toExtend<Response>()
  expectTypeOf(isPassthroughResponse(passthrough())).toEqualTypeOf<boolean>()
  // @ts-expect-error it takes nothing
  passthrough('https://example.com')
})
