import type { HeldPage } from './held-page.ts'

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
 */
export function redirectToStandIns(
  page: HeldPage,
  prototype: object,
  standIns: StandIns,
  ownNames: readonly string[],
  isNeeded: () => boolean,
): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'constructor' || name.startsWith('on') || ownNames.includes(name)) continue

    const redirect =
      (act: (standIn: object, args: readonly unknown[]) => unknown) =>
      (self: object, args: readonly unknown[], native: () => unknown): unknown => {
        const standIn = standIns.get(self)
        return standIn && name in standIn ? act(standIn, args) : native()
      }
    page.wrap(
      prototype,
      name,
      {
        call: redirect((standIn, args) => {
          const method = Reflect.get(standIn, name) as (...args: unknown[]) => unknown
          return Reflect.apply(method, standIn, args)
        }),
        get: redirect((standIn) => Reflect.get(standIn, name) as unknown),
        set: redirect((standIn, [value]) => Reflect.set(standIn, name, value)),
      },
      isNeeded,
    )
  }
}
