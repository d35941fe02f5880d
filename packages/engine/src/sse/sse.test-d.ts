import { expectTypeOf, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { HttpHandler } from '../http/http-handler.ts'
import type { ServerSentEventMessage } from './server-sent-event.ts'
import { sse, type ServerSentEventResolver } from './sse.ts'

interface User {
  name: string
}

interface Events {
  message: string
  joined: User
  left: undefined
  maybe: number | undefined
}

test('parameters are inferred from the path', () => {
  const handler = sse('/rooms/:room/:user?', ({ params, request, cookies, url, requestId, finalize }) => {
    expectTypeOf(params).toEqualTypeOf<{ room: string; user?: string } & PathParams>()
    expectTypeOf(request).toExtend<Request>()
    expectTypeOf(cookies).toEqualTypeOf<Record<string, string>>()
    expectTypeOf(url).toEqualTypeOf<URL>()
    expectTypeOf(requestId).toEqualTypeOf<string>()
    finalize(() => {})
    expectTypeOf(params['other']).toEqualTypeOf<string | readonly string[] | undefined>()
  })
  expectTypeOf(handler).toEqualTypeOf<HttpHandler>()
  sse<Events, { room: string }>(/rooms/, ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ room: string }>()
  })
})

test('events have the types of the map', () => {
  sse<Events>('/events', ({ client }) => {
    expectTypeOf(client.send).parameter(0).toEqualTypeOf<ServerSentEventMessage<Events>>()
    client.send({ data: 'hello' })
    client.send({ event: 'message', data: 'hello', id: '1', retry: 100 })
    client.send({ event: 'joined', data: { name: 'Ada' } })
    client.send({ event: 'left' })
    client.send({ event: 'maybe' })
    client.send({ event: 'maybe', data: 5 })
    client.send({ retry: 1000 })
    client.send({ id: '5' })
    // @ts-expect-error a message is text
    client.send({ data: 5 })
    // @ts-expect-error who joined has a name
    client.send({ event: 'joined', data: {} })
    // @ts-expect-error who joined is missing
    client.send({ event: 'joined' })
    // @ts-expect-error there is no such event
    client.send({ event: 'other', data: 'x' })
    // @ts-expect-error an id is text
    client.send({ id: 5, data: 'x' })
    // @ts-expect-error a retry is a number
    client.send({ retry: '100' })
    // @ts-expect-error there is nothing to send
    client.send({})
    // @ts-expect-error an event is an object
    client.send('hello')
  })
})

test('without a map, a message may be anything', () => {
  sse('/events', ({ client, server }) => {
    client.send({ data: { any: ['thing'] } })
    client.send({ event: 'message', data: null })
    // @ts-expect-error another event needs a map
    client.send({ event: 'joined', data: 'x' })
    expectTypeOf(server.connect()).toEqualTypeOf<EventSource>()
    client.dispatchEvent(new MessageEvent('message'))
    client.close()
    client.error()
  })
  // A map without messages of its own has them too.
  sse<{ joined: User }>('/events', ({ client }) => {
    client.send({ data: 'anything' })
    client.send({ event: 'joined', data: { name: 'Ada' } })
  })
})

test('a resolver may answer, and may wait', () => {
  expectTypeOf(sse('/events', () => new HttpResponse(null, { status: 204 }))).toEqualTypeOf<HttpHandler>()
  sse('/events', async ({ client }) => {
    await Promise.resolve()
    client.send({ data: '' })
  })
  // @ts-expect-error an answer is a response
  sse('/events', () => 'hello')
  // @ts-expect-error there is no resolver
  sse('/events')
  // @ts-expect-error a path is text or a RegExp
  sse(5, () => {})
})

test('the types of MSW’s names', () => {
  const resolver: ServerSentEventResolver<{ message: string }> = ({ client }) => client.send({ data: 'hello' })
  sse('/events', resolver as ServerSentEventResolver)
  sse<{ message: string }>('/events', resolver)
  expectTypeOf<{ data: string }>().toExtend<ServerSentEventMessage<{ message: string }>>()
  expectTypeOf<{ data: number }>().not.toExtend<ServerSentEventMessage<{ message: string }>>()
})
