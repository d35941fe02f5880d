import type { HeldPage } from './held-page.ts'
import type { Call } from './wrap-property.ts'

/** For each of the app's objects, the object that acts for it. */
export type StandIns = WeakMap<object, object>

/**
 * Lets stand-ins act for the app's objects of one of the platform's interfaces.
 *
 * The app keeps the object that it made while the gate was held. What it calls and reads there the stand-in
 * answers, where it has that. This is done on the interface's prototype, so that what other libraries put
 * there comes first, and every other object stays the platform's.
 *
 * @param ownNames names that the objects answer themselves; their `on…` attributes they always do
 * @param isNeeded whether the objects need their stand-ins once the gate is open
 * @param others what methods do, while the gate is held, of objects that have no stand-in
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
