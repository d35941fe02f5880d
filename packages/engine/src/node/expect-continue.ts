import type { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers'

/** A client's end of a connection, with the request that uses it. */
type ClientSocket = { readonly _httpMessage?: EventEmitter }

/**
 * Tells a client of `node:http` to send its body, where it waits to be told (`Expect: 100-continue`): a resolver that
 * reads the body would wait for ever. Servers of Node do so too.
 *
 * @param initiator who made the request, as far as interceptors know
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 */
export function tellToContinue({ headers }: Request, initiator: unknown): void {
  if (headers.get('expect')?.toLowerCase() !== '100-continue') return
  const request = (initiator as ClientSocket)._httpMessage
  if (!request) return
  const emit = Reflect.get(request, 'emit') as (this: unknown, event: string, ...args: unknown[]) => boolean
  Reflect.set(request, 'emit', function (this: unknown, event: string, ...args: unknown[]) {
    // Where the request is performed, its server says so again.
    return event === 'continue' || Reflect.apply(emit, this, [event, ...args])
  })
  // Not while the client is about to write.
  setImmediate(() => Reflect.apply(emit, request, ['continue']))
}
