import { expectTypeOf, test } from 'vitest'

import { setupWorker, type SetupWorker } from '../../browser/start/setup-worker.ts'
import { http } from '../../http/http.ts'
import { inspect, type Inspection } from '../../inspect/inspect.ts'
import { setupServer, type Server } from '../../node/setup-server.ts'
import { createFetchHandler, type FetchHandler } from '../../server/create-fetch-handler.ts'
import { ws } from '../../ws/ws.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'

const handler = http.get('/user', () => HttpResponse.json({}))
declare const worker: SetupWorker
declare const server: Server

test('a worker and a server are set up with handlers of every kind', () => {
  const socket = ws.link('wss://example.com').addEventListener('connection', () => {})
  expectTypeOf(() => setupWorker(handler, socket)).returns.toEqualTypeOf<SetupWorker>()
  expectTypeOf(setupServer(handler, socket)).toEqualTypeOf<Server>()
  expectTypeOf(setupServer([handler], { group: [handler], other: handler })).toEqualTypeOf<Server>()
  expectTypeOf(() => setupWorker([handler])).returns.toEqualTypeOf<SetupWorker>()
  // @ts-expect-error a list holds handlers, and no lists
  expectTypeOf(() => setupServer([[handler]])).toBeFunction()
})

test('they start with options that exist', () => {
  expectTypeOf(worker.start).returns.toEqualTypeOf<Promise<ServiceWorkerRegistration | undefined>>()
  expectTypeOf(worker.start).toBeCallableWith({ quiet: true, serviceWorker: { url: '/worker.js' } })
  expectTypeOf(server.listen).toBeCallableWith({ onUnhandledRequest: 'error' })
  // @ts-expect-error there is no such strategy
  expectTypeOf(server.listen).toBeCallableWith({ onUnhandledRequest: 'ignore' })
  // @ts-expect-error a misspelled option
  expectTypeOf(worker.start).toBeCallableWith({ silent: true })
})

test('they are controlled alike', () => {
  for (const control of [worker, server]) {
    expectTypeOf(control.use(handler, handler)).toEqualTypeOf<void>()
    expectTypeOf(control.resetHandlers()).toEqualTypeOf<void>()
    expectTypeOf(control.listHandlers()).toEqualTypeOf<readonly Handler[]>()
    // @ts-expect-error a list is spread: use(...handlers)
    expectTypeOf(() => control.use([handler])).toBeFunction()
    control.events.on('response:mocked', ({ request, requestId, response }) => {
      expectTypeOf(request).toEqualTypeOf<Request>()
      expectTypeOf(requestId).toEqualTypeOf<string>()
      expectTypeOf(response).toExtend<Response>()
    })
    // @ts-expect-error there is no such event
    control.events.on('request:mocked', () => {})
    // @ts-expect-error the request has no response when it starts
    control.events.on('request:start', ({ response }) => expectTypeOf(response))
  }
})

test('a boundary takes and returns what its function does', () => {
  const bound = server.boundary((name: string, age: number) => `${name} ${age}`)
  expectTypeOf(bound).toEqualTypeOf<(name: string, age: number) => string>()
  // @ts-expect-error the second argument is a number
  bound('Ada', '36')
})

test('handlers become a function from requests to responses', () => {
  expectTypeOf(createFetchHandler([handler])).toEqualTypeOf<FetchHandler>()
  expectTypeOf<FetchHandler>().toEqualTypeOf<(request: Request) => Promise<Response>>()
  expectTypeOf(createFetchHandler(handler)).toEqualTypeOf<FetchHandler>()
  expectTypeOf(createFetchHandler()).toEqualTypeOf<FetchHandler>()
  // @ts-expect-error a path is not a handler
  createFetchHandler('/user')
  // @ts-expect-error a misspelled option
  createFetchHandler([handler], { baseURL: 'https://example.com' })
})

test('what runs can be inspected', () => {
  expectTypeOf(inspect(worker)).toEqualTypeOf<Inspection>()
  expectTypeOf(inspect(server).snapshot().handlers[0]).not.toBeAny()
  expectTypeOf(inspect(server).snapshot().handlers.at(0)?.hits).toEqualTypeOf<number | undefined>()
  // @ts-expect-error inspect takes control objects, not handlers
  expectTypeOf(inspect).toBeCallableWith([handler])
  // @ts-expect-error a delay is milliseconds
  expectTypeOf<Inspection['override']>().toBeCallableWith(1, { delay: 'long' })
})
