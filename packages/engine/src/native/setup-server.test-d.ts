import { expectTypeOf, test } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer, type ListenOptions, type Server, type SetupServer } from '../native.ts'

test('the server has the type of the one in Node', () => {
  const server = setupServer(http.get('https://example.com/', () => HttpResponse.json({ id: 1 })))
  expectTypeOf(server).toEqualTypeOf<Server>()
  expectTypeOf<SetupServer>().toEqualTypeOf<Server>()
  expectTypeOf<NonNullable<Parameters<Server['listen']>[0]>>().toEqualTypeOf<ListenOptions>()
  expectTypeOf(server.readyState).toEqualTypeOf<0 | 1>()
  expectTypeOf(server.boundary((id: number) => String(id))).toEqualTypeOf<(id: number) => string>()
})

test('what is not a handler, and unknown policies, do not compile', () => {
  // @ts-expect-error -- a string is not a handler
  setupServer('https://example.com/')
  // @ts-expect-error -- there is no such policy
  setupServer().listen({ onUnhandledRequest: 'never' })
})
