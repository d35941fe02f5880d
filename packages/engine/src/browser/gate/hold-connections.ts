import type { Replacements } from './gate.ts'
import type { HeldPage } from './held-page.ts'
import { relayEvents, watchListeners } from './relay-events.ts'
import { redirectToStandIns, type StandIns } from './stand-ins.ts'

/** A connection that does not exist yet. */
export interface Unconnected {
  /** The constructor's arguments, resolved at the time of the call. */
  readonly args: readonly unknown[]
  /** Has the members of the interface, without its events, until the connection exists. */
  readonly standIn: object
  /** Ends the connection, as the platform does if it cannot connect. Default: fires `error` */
  readonly fail?: () => void
  /** Gets the connection once it exists. */
  readonly connect?: (connection: EventTarget) => void
  /** Drops the connection. Defined while it is held. */
  withdraw?: (() => void) | undefined
}

/**
 * Holds the connections of an interface whose constructor connects at once.
 *
 * Until the gate opens, the app has an event target with the interface's prototype. Then a real connection is created and
 * acts for that object. Events of the connection are dispatched on the app's object, too.
 *
 * @param describe returns `undefined` if the connection is never held or the platform rejects it
 */
export function holdConnections(
  page: HeldPage,
  name: 'EventSource' | 'SharedWorker' | 'WebSocket' | 'Worker',
  describe: (target: EventTarget, args: readonly unknown[]) => Unconnected | undefined,
): void {
  const { scope } = page
  if (!(name in scope)) return
  const native = scope[name]
  const findReplacement = (): object | undefined => page.replacements[name as keyof Replacements]

  const standIns: StandIns = new WeakMap()
  let isUsed = false
  const isNeeded = (): boolean => isUsed || findReplacement() !== undefined
  redirectToStandIns(page, native.prototype, standIns, [], isNeeded)
  wrapHandlers(page, native.prototype, standIns, isNeeded)

  page.wrapConstructor(name, (args: readonly unknown[], create, newTarget) => {
    if (args.length === 0 || (page.isOpen && !findReplacement())) return create()
    const target = Reflect.construct(scope.EventTarget, [], newTarget) as EventTarget
    const unconnected = describe(target, args)
    if (!unconnected) return create()

    const { standIn } = unconnected
    isUsed = true
    standIns.set(target, standIn)
    let connection: EventTarget | undefined
    const types = new Set(['open', 'message', 'error', 'close'])
    watchListeners(target, (type) => {
      if (connection && !types.has(type)) relayEvents(scope, connection, target, [type])
      types.add(type)
    })
    unconnected.withdraw = page.hold(() => {
      try {
        connection = Reflect.construct((findReplacement() ?? native) as typeof native, unconnected.args) as EventTarget
      } catch (error) {
        if (unconnected.fail) unconnected.fail()
        else target.dispatchEvent(new scope.Event('error'))
        throw error
      }
      if ('binaryType' in standIn) Object.assign(connection, { binaryType: standIn.binaryType })
      standIns.set(target, connection)
      relayEvents(scope, connection, target, types)
      unconnected.connect?.(connection)
    }, String(unconnected.args[0]))
    return target
  })
}

/** Defines `on…` attributes for objects that have stand-ins. The platform's attributes throw for these objects. */
function wrapHandlers(page: HeldPage, prototype: object, standIns: StandIns, isNeeded: () => boolean): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (!name.startsWith('on')) continue
    const handlers = new WeakMap<EventTarget, unknown>()
    page.wrap(
      prototype,
      name,
      {
        get: (self: EventTarget, _args, native) => (standIns.has(self) ? (handlers.get(self) ?? null) : native()),
        set(self: EventTarget, [handler]: readonly unknown[], native) {
          if (!standIns.has(self)) return native()
          if (!handlers.has(self)) {
            self.addEventListener(name.slice('on'.length), (event) => {
              const current = handlers.get(self)
              if (typeof current === 'function') Reflect.apply(current, self, [event])
            })
          }
          handlers.set(self, typeof handler === 'function' ? handler : null)
          return undefined
        },
      },
      isNeeded,
    )
  }
}
