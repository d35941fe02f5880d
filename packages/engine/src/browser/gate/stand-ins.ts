import type { HeldPage } from './held-page.ts'
import type { Call } from './wrap-property.ts'

/** For each of the app's objects, the object that acts for it. */
export type StandIns = WeakMap<object, object>

/**
 * Forwards the members of the app's objects of a platform interface to their stand-ins. The app keeps the object that
 * it created while the gate held requests. If the stand-in has a member, the object's member forwards to it. The
 * forwarding members are on the interface's prototype, so that members of other libraries have precedence, and objects
 * without a stand-in do not change.
 *
 * @param ownNames members that the objects do not forward. They never forward their `on…` attributes
 * @param isNeeded whether the objects still need their stand-ins when the gate is open
 * @param others what the methods of objects without a stand-in do while the gate holds requests
 */
export function redirectToStandIns(
  page: HeldPage,
  prototype: object,
  standIns: StandIns,
  ownNames: readonly string[],
  isNeeded: () => boolean,
  others: Readonly<Record<string, Call>> = {},
): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'constructor' || name.startsWith('on') || ownNames.includes(name)) continue

    const redirect =
      (act: (standIn: object, args: readonly unknown[]) => unknown, other?: Call) =>
      (self: object, args: readonly unknown[], native: () => unknown): unknown => {
        const standIn = standIns.get(self)
        if (standIn && name in standIn) return act(standIn, args)
        return other && !standIn && !page.isOpen ? other(self as never, args as never, native) : native()
      }
    page.wrap(
      prototype,
      name,
      {
        call: redirect((standIn, args) => {
          const method = Reflect.get(standIn, name) as (...args: unknown[]) => unknown
          return Reflect.apply(method, standIn, args)
        }, others[name]),
        get: redirect((standIn) => Reflect.get(standIn, name) as unknown),
        set: redirect((standIn, [value]) => Reflect.set(standIn, name, value)),
      },
      isNeeded,
    )
  }
}
