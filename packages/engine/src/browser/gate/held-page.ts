import { print } from '../../core/failure.ts'
import type { Carriers, PageScope } from './gate.ts'
import { isNeverHeld } from './never-held.ts'
import { wrapProperty, type Call, type Construct, type Substitutes } from './wrap-property.ts'

/** A page, its held requests and what stands in the places of its functions: what the `hold-*` files share. */
export interface HeldPage {
  readonly scope: PageScope
  readonly isOpen: boolean
  /** Whether it was open before. */
  readonly wasOpen: boolean
  /** How many requests are held now. */
  readonly count: number
  /** The functions that are wrapped as entries. */
  readonly natives: Partial<Carriers>
  /** What answers instead of the platform: nothing, until the gate is opened. */
  readonly carriers: Partial<Carriers>
  /** Resolves a URL as the page does now; nothing, where requests to it are not held. */
  resolve(url: unknown): URL | undefined
  /**
   * Keeps a request until the gate opens; performs it at once where it is open.
   *
   * @returns what withdraws it, where it is kept
   */
  hold(perform: () => void): (() => void) | undefined
  /**
   * Wraps a property's functions until the gate opens.
   *
   * @param isNeeded whether the wrappers must stay once it is open
   */
  wrap(owner: object, name: string, substitutes: Substitutes, isNeeded?: () => boolean): void
  /**
   * Wraps a function by which the app makes requests. Once the gate is open, its carrier has its place, where
   * there is one; what the app took meanwhile leads there too.
   */
  wrapFunction(owner: object, name: 'fetch' | 'sendBeacon', hold: Call): void
  /** Wraps a constructor by which the app makes requests. Once the gate is open, its carrier has its place. */
  wrapConstructor(name: 'EventSource' | 'WebSocket' | 'XMLHttpRequest', construct: Construct): void
  open(carriers: Partial<Carriers>): void
  close(holdsConnections: boolean): void
  /** Calls back in a task of its own, whatever a test library does to the page's timers later. */
  later(callback: () => void, milliseconds?: number): void
}

const connections: readonly string[] = ['EventSource', 'WebSocket']

/** How long requests may be held before the console says so, in milliseconds. */
const patience = 5000

/**
 * @param neverHeld see {@link PageState.neverHeld}
 */
export function createHeldPage(scope: PageScope, neverHeld: readonly string[] = []): HeldPage {
  /** Performed in the order in which they came. */
  const requests = new Set<() => void>()
  const settlers: (() => void)[] = []
  let isOpen = false
  let wasOpen = false
  let holdsConnections = true
  let carriers: Partial<Carriers> = {}
  const natives: Record<string, unknown> = {}
  const later = scope.setTimeout.bind(scope)
  let isWaiting = false

  function warnLater(): void {
    if (isWaiting) return
    isWaiting = true
    later(() => {
      // Where all were withdrawn, the next one begins the wait anew.
      isWaiting = requests.size > 0
      if (isWaiting) {
        print.warn(
          `Still waiting for mocking to start; requests held: ${requests.size}. ` +
            'Look for an error above or in the terminal, and check that the handlers module loads.',
        )
      }
    }, patience)
  }

  function wrapEntry(owner: object, name: keyof Carriers, substitutes: Substitutes): void {
    if (Object.getOwnPropertyDescriptor(owner, name)?.get) {
      // Pages outside of browsers (jsdom, in test runners) have their functions behind accessors.
      const value: unknown = Reflect.get(owner, name)
      Reflect.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true })
    }
    const property = wrapProperty(owner, name, substitutes)
    if (!property) return
    const { original, hold, release } = property
    natives[name] = original.value
    settlers.push(() => {
      const value = carriers[name]
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
    get carriers() {
      return carriers
    },
    get count() {
      return requests.size
    },

    resolve(url) {
      try {
        const resolved = new scope.URL(String(url), scope.document.baseURI)
        return isNeverHeld(resolved, neverHeld, scope.location.href) ? undefined : resolved
      } catch {
        // The platform says in its own words that this is no URL.
        return undefined
      }
    },

    hold(perform) {
      if (isOpen) {
        perform()
        return undefined
      }
      requests.add(perform)
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
            const carrier = carriers[name]
            return carrier ? Reflect.apply(carrier, self, otherArgs) : native(otherArgs)
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

    open(given) {
      carriers = given
      isOpen = true
      wasOpen = true
      for (const settle of settlers) settle()
      const held = [...requests]
      for (const perform of held) {
        // One that was performed may have withdrawn the next.
        if (!requests.delete(perform)) continue
        try {
          perform()
        } catch (error) {
          scope.reportError(error)
        }
      }
    },
  }
}
