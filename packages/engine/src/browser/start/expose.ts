import { bypass } from '../../core/responses/bypass.ts'
import { delay } from '../../core/responses/delay.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { passthrough } from '../../core/responses/passthrough.ts'
import { graphql } from '../../graphql/graphql.ts'
import { http } from '../../http/http.ts'
import { rest } from '../../rest/rest.ts'
import { sse } from '../../sse/sse.ts'
import { ws } from '../../ws/ws.ts'
import type { Mocking } from './mocking.ts'

/**
 * Puts `understudy` and `worker` on the window, for test runners. Other pages do not load this module, with its code for every
 * protocol.
 */
export function expose({ worker, scenario }: Mocking): void {
  const understudy = { worker, scenario, http, graphql, rest, ws, sse, HttpResponse, delay, passthrough, bypass }
  Object.assign(globalThis, { understudy, worker })
  // Test runners can change handlers before the app's first request, because requests are still held.
  dispatchEvent(new Event('understudy:exposed'))
}
