import { printWarning } from '../../core/failure.ts'
import { prerenderedDocument } from '../lifecycle/prerendered-document.ts'
import { heldWarningDelay } from '../lifecycle/time-outs.ts'
import type { Gate, Replacements, PageScope } from './gate.ts'
import { isNeverHeld } from './never-held.ts'
import { wrapProperty, type Call, type Construct, type Substitutes } from './wrap-property.ts'

/** A page with its held requests and its wrapped functions. The `hold-*` files share it. */
export interface HeldPage {
  readonly scope: PageScope
  readonly isOpen: boolean
  /** Whether the gate was open before. */
  readonly wasOpen: boolean
  /** The number of requests that are held now. */
  readonly count: number
  /** The functions that are wrapped as entries. */
  readonly natives: Partial<Replacements>
  /** The functions that replace the platform's. Empty until the gate is opened. */
  readonly replacements: Partial<Replacements>
  /** Resolves a URL as the page does now. Returns `undefined` if requests to it are not held. */
  resolve(url: unknown): URL | undefined
  /**
   * Holds a request until the gate opens. Sends it at once if the gate is open.
   *
   * @param perform sends the request
   * @param url of the request, if it is known
   * @returns a function that drops the request, if it is held
   */
  hold(perform: () => void, url?: string | URL): (() => void) | undefined
  /**
   * Wraps a property's functions until the gate opens.
   *
   * @param isNeeded whether the wrappers must stay once it is open
   */
  wrap(owner: object, name: string, substitutes: Substitutes, isNeeded?: () => boolean): void
  /**
   * Wraps a function with which the app makes requests. Once the gate is open, calls go to its replacement, if there is
   * one. This includes calls through references that the app stored before.
   */
  wrapFunction(owner: object, name: 'fetch' | 'fetchLater' | 'sendBeacon', hold: Call): void
  /** Wraps a constructor with which the app makes requests. Once the gate is open, calls go to its replacement. */
  wrapConstructor(
    name: 'EventSource' | 'SharedWorker' | 'WebSocket' | 'Worker' | 'XMLHttpRequest',
    construct: Construct,
  ): void
  open(replacements: Partial<Replacements>, onRelease?: Gate['onRelease']): void
  close(holdsConnections: boolean): void
  /** Calls back in a separate task, even if a test library replaces the page's timers later. */
  later(callback: () => void, milliseconds?: number): void
}

const connections: readonly string[] = ['EventSource', 'WebSocket']

/**
 * @param neverHeld see {@link PageState.neverHeld}
 */
export function createHeldPage(scope: PageScope, neverHeld: readonly string[] = []): HeldPage {
  /** The held requests, in the order in which they were made. */
  const requests = new Map<() => void, readonly [url: string | URL | undefined, heldAt: number]>()
  const settlers: (() => void)[] = []
  let isOpen = false
  let wasOpen = false
  let holdsConnections = true
  let replacements: Partial<Replacements> = {}
  const natives: Record<string, unknown> = {}
  const later = scope.setTimeout.bind(scope)
  let isWaiting = false

  function warnLater(): void {
    if (isWaiting) return
    isWaiting = true
    later(() => {
      isWaiting = false
      // Mocking starts when the browser shows the page.
      if (prerenderedDocument(scope)) warnLater()
      // If all requests were dropped, the next one starts a new wait.
      else if (requests.size > 0) {
        isWaiting = true
        printWarning(
          'US0305',
          `Still waiting for mocking to start; requests held: ${requests.size}. ` +
            'Look for an error above or in the terminal. Use bypass() for requests in the handlers module. ' +
            'If you stopped loading the page, reload it.',
        )
      }
    }, heldWarningDelay)
  }

  function wrapEntry(owner: object, name: string, substitutes: Substitutes): void {
    if (Object.getOwnPropertyDescriptor(owner, name)?.get) {
      // Pages outside of browsers (jsdom, in test runners) define their functions as accessors.
      const value: unknown = Reflect.get(owner, name)
      Reflect.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true })
    }
    const property = wrapProperty(owner, name, substitutes)
    if (!property) return
    const { original, hold, release } = property
    natives[name] = original.value
    settlers.push(() => {
      const value = replacements[name as keyof Replacements]
      if (isOpen || (!holdsConnections && connections.includes(name)))
        release(value ? { ...original, value } : original)
      else hold()
    })
  }

  return {
    scope,
    natives,
    later,
    get isOpen() {
      return isOpen
    },
    get wasOpen() {
      return wasOpen
    },
    get replacements() {
      return replacements
    },
    get count() {
      return requests.size
    },

    resolve(url) {
      try {
        const resolved = new scope.URL(String(url), scope.document.baseURI)
        return isNeverHeld(resolved, neverHeld, scope.location.href) ? undefined : resolved
      } catch {
        // The platform throws its own error for text that is not a URL.
        return undefined
      }
    },

    hold(perform, url) {
      if (isOpen) {
        perform()
        return undefined
      }
      requests.set(perform, [url, performance.now()])
      warnLater()
      return () => {
        requests.delete(perform)
      }
    },

    wrap(owner, name, substitutes, isNeeded) {
      const property = wrapProperty(owner, name, substitutes)
      if (!property) return
      settlers.push(() => {
        if (isOpen && !isNeeded?.()) property.release(property.original)
        else property.hold()
      })
    },

    wrapFunction(owner, name, hold) {
      wrapEntry(owner, name, {
        call(self, args, native) {
          const perform = (otherArgs: readonly unknown[] = args): unknown => {
            const replacement = replacements[name]
            return replacement ? Reflect.apply(replacement, self, otherArgs) : native(otherArgs)
          }
          return isOpen ? perform() : hold(self, args, perform)
        },
      })
    },

    wrapConstructor(name, construct) {
      wrapEntry(scope, name, { construct })
    },

    close(holds) {
      isOpen = false
      holdsConnections = holds
      for (const settle of settlers) settle()
    },

    open(given, onRelease) {
      replacements = given
      isOpen = true
      wasOpen = true
      for (const settle of settlers) settle()
      const held = [...requests]
      for (const [perform, [url, heldAt]] of held) {
        // A request that was sent may have dropped the next one.
        if (!requests.delete(perform)) continue
        if (url) onRelease?.(url, heldAt)
        try {
          perform()
        } catch (error) {
          scope.reportError(error)
        }
      }
    },
  }
}
