import { expectTypeOf, test } from 'vitest'

import type { LifeCycleEventsMap } from '../core/network/life-cycle-events.ts'
import { handleRequest } from './handle-request.ts'

/** The emitter of the package `strict-event-emitter`, which packages around MSW 2 use. */
declare class Emitter<Events extends Record<string, unknown[]>> {
  on<Name extends keyof Events & string>(name: Name, listener: (...data: Events[Name]) => void): this
  emit<Name extends keyof Events & string>(name: Name, ...data: Events[Name]): boolean
}

test('an emitter of MSW’s map of events has the arguments of listeners, and is an emitter for handleRequest()', () => {
  const emitter = new Emitter<LifeCycleEventsMap>()
  emitter.on('response:mocked', ({ request, requestId, response }) => {
    expectTypeOf(request).toEqualTypeOf<Request>()
    expectTypeOf(requestId).toEqualTypeOf<string>()
    expectTypeOf(response).toEqualTypeOf<Response>()
  })
  // @ts-expect-error there is no such event
  emitter.on('response:sent', () => {})
  const options = { onUnhandledRequest: 'bypass' } as const
  expectTypeOf(handleRequest(new Request('https://app.test'), '1', [], options, emitter)).resolves.toEqualTypeOf<
    Response | undefined
  >()
})

test('onMockedResponse gets what MSW passes', () => {
  const request = new Request('https://app.test')
  void handleRequest(request, '1', [], {}, new Emitter<LifeCycleEventsMap>(), {
    onMockedResponse(response, { handler, parsedResult }) {
      void handler.log({ request, response, parsedResult })
      expectTypeOf(handler.info.header).toEqualTypeOf<string>()
      expectTypeOf(parsedResult.match.matches).toEqualTypeOf<boolean>()
      expectTypeOf(parsedResult.cookies).toEqualTypeOf<Record<string, string>>()
    },
  })
})
