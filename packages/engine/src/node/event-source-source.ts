import type { Source } from '../core/source.ts'
import { createEventSourceClass } from '../sse/event-source-class.ts'
import { isNodeFetch } from './fetch/node-fetch.ts'
import { findGlobal } from './find-global.ts'
import { isListening } from './listening.ts'

/**
 * The source of the event streams that the global `EventSource` of Deno and Cloudflare's `workerd` opens. Node's own class uses
 * sockets, which are intercepted.
 */
export class EventSourceSource implements Source {
  readonly name = 'EventSource'

  /** Call it before `fetch` is replaced. */
  start(): void {
    // In a page (jsdom, happy-dom), the class is a test's own, which uses `fetch` or `http`.
    if ('document' in globalThis || isNodeFetch(globalThis.fetch)) return
    if (!replaced || globalThis.EventSource !== replaced.replacement) replaceEventSource()
  }

  stop(): void {
    if (!replaced || isListening()) return
    // A replacement that other code has set since stays.
    if (globalThis.EventSource === replaced.replacement) {
      Object.defineProperty(globalThis, 'EventSource', replaced.native)
    }
    replaced = undefined
  }
}

interface Replaced {
  readonly replacement: typeof EventSource
  readonly native: PropertyDescriptor
}

let replaced: Replaced | undefined

function replaceEventSource(): void {
  const native = findGlobal('EventSource')
  const Native: unknown = native?.get ? native.get.call(globalThis) : native?.value
  if (!native || typeof Native !== 'function') return
  const replacement = createEventSourceClass((...args) => globalThis.fetch(...args))
  // `EventSource.from()` of workerd reads a stream, and sends no request.
  const { from } = Native as { from?: unknown }
  if (typeof from === 'function') Object.defineProperty(replacement, 'from', { value: from.bind(Native) })
  const value = { value: replacement, configurable: true, writable: true, enumerable: false }
  Object.defineProperty(globalThis, 'EventSource', value)
  replaced = { replacement, native }
}
