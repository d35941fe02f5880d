import { expectTypeOf, test } from 'vitest'

import type { LifeCycleEventsMap } from '../../index.ts'
import { setupServer } from '../../node/setup-server.ts'

test('the arguments of listeners have the types that MSW 2 exports', () => {
  const server = setupServer()
  server.events.on('request:start', ({ request }: LifeCycleEventsMap['request:start'][0]) => request.url)
  server.events.on('response:mocked', (...[{ response }]: LifeCycleEventsMap['response:mocked']) => response.status)
  expectTypeOf<LifeCycleEventsMap['unhandledException']>().toExtend<
    [args: { request: Request; requestId: string; error: Error }]
  >()
})
