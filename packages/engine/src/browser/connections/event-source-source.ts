import { couldAnswer } from '../../core/handlers/candidates.ts'
import { isIgnorable } from '../../core/network/handle-request.ts'
import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { createEventSourceClass } from '../../sse/event-source-class.ts'
import { getGate, getPageState } from '../gate/gate.ts'
import { isNeverHeld } from '../gate/never-held.ts'

/**
 * Brings in the event streams that the page's scripts open with `EventSource`, as requests of `fetch`.
 *
 * A service worker sees the requests of the platform's `EventSource` too, but without the `Last-Event-ID` (Chromium
 * 150 hides that header from it), so a handler could not continue where the stream ended.
 */
export class EventSourceSource {
  /**
   * Replaces the page's `EventSource`. Streams that no handler matches use the platform's. `undefined` if the platform
   * has no `EventSource` (jsdom).
   */
  readonly replacement: typeof EventSource | undefined
  #isOn = true

  /**
   * @param fetch sends the requests, which handlers can answer
   * @param seesAll whether this source also reports requests that no handler could match. Needed if no other source
   * does
   */
  constructor(network: Network, fetch: typeof globalThis.fetch, seesAll: boolean) {
    const native = getGate()?.natives.EventSource ?? (globalThis as { EventSource?: typeof EventSource }).EventSource
    if (!native) return
    const isWanted = (url: URL): boolean =>
      seesAll ? !isIgnorable(network, 'GET', url) : couldAnswer(network, 'GET', url)
    this.replacement = createReplacement(native, createEventSourceClass(fetch), (given) => {
      const url = this.#isOn ? parseUrl(String(given), document.baseURI) : undefined
      return url !== undefined && !isNeverHeld(url, getPageState().neverHeld ?? [], location.href) && isWanted(url)
    })
  }

  /** Stops the source. Code that kept a reference to the replacement reaches the platform's class from then on. */
  stop(): void {
    this.#isOn = false
  }
}

function createReplacement(
  native: typeof EventSource,
  Fetched: typeof EventSource,
  isFetched: (url: unknown) => boolean,
): typeof EventSource {
  const fetched = new WeakSet<object>()
  class Replacement extends native {
    constructor(...args: ConstructorParameters<typeof EventSource>) {
      if (isFetched(args[0])) {
        // Use the prototype of the class that the app called: it may be a subclass, or have members that other code
        // added.
        const source = Reflect.construct(Fetched, args, new.target)
        fetched.add(source)
        return source
      }
      super(...args)
    }
  }
  Object.defineProperty(Replacement, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === Replacement) return value instanceof native
      return Reflect.apply(Function.prototype[Symbol.hasInstance], this, [value])
    },
  })
  const members = prototypesOf(Fetched).flatMap((each) => Object.entries(Object.getOwnPropertyDescriptors(each)))
  for (const [name, descriptor] of members) {
    if (name === 'constructor') continue
    const ofNative = Object.getOwnPropertyDescriptor(native.prototype, name)
    for (const part of ['get', 'set', 'value'] as const) {
      const own = descriptor[part] as Method | undefined
      const other = ofNative?.[part] as Method | undefined
      if (typeof own !== 'function') continue
      descriptor[part] = function (this: object, ...args: unknown[]) {
        return Reflect.apply(other && !fetched.has(this) ? other : own, this, args)
      } satisfies Method
    }
    Object.defineProperty(Replacement.prototype, name, descriptor)
  }
  return Object.defineProperty(Replacement, 'name', { value: native.name })
}

type Method = (...args: unknown[]) => unknown

/** Returns the prototypes of a class and of its parent classes, the most general first, without `EventTarget`. */
function prototypesOf({ prototype }: { readonly prototype: object }): object[] {
  if (prototype === EventTarget.prototype) return []
  return [...prototypesOf({ prototype: Object.getPrototypeOf(prototype) as object }), prototype]
}
