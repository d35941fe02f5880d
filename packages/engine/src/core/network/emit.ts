import { print } from '../failure.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import { callListener } from '../unhandled/older-callbacks.ts'
import type { LifeCycleEmitter, LifeCycleEventName, LifeCycleEvents } from './life-cycle-events.ts'

/**
 * Calls the listeners of a life-cycle event. Each listener gets its own copy of the request and of the response. An error in
 * one listener is reported and does not affect the others.
 */
export function emit<Name extends LifeCycleEventName>(
  events: LifeCycleEmitter,
  name: Name,
  createData: () => LifeCycleEvents[Name],
): void {
  const additions = events.additions()
  if (additions.length === 0) return
  for (const key of [name, '*'] as const) {
    for (const addition of additions) {
      if (addition.name !== key) continue
      if (addition.once) events.remove(addition)
      try {
        const result = callListener(addition.listener, { ...createData(), type: name })
        // A promise of another realm (jsdom, `node:vm`) is not an instance of this realm's class.
        if (result) Promise.resolve(result).catch((error: unknown) => reportListener(name, error))
      } catch (error) {
        reportListener(name, error)
      }
    }
  }
}

/** Emits an event whose data is a request. Most networks have no listeners, so it creates no function before it finds one. */
export function emitOfRequest(
  events: LifeCycleEmitter,
  name: 'request:start' | 'request:unhandled' | 'request:end',
  incoming: IncomingRequest,
): void {
  if (events.additions().length > 0) emitCopies(events, name, incoming)
}

function emitCopies(...[events, name, incoming]: Parameters<typeof emitOfRequest>): void {
  emit(events, name, () => ({ request: incoming.copy(), requestId: incoming.id }))
}

function reportListener(name: string, error: unknown): void {
  print.error('US0217', `Failed to call a listener of "${name}": it threw. See the error.`, error)
}
