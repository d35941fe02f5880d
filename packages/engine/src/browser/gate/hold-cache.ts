import type { HeldPage } from './held-page.ts'

/** Holds the requests that a cache makes to add responses. They do not call `fetch`. */
export function holdCache(page: HeldPage): void {
  for (const name of ['add', 'addAll'])
    // Pages that are not secure have no caches.
    page.wrap((page.scope as Partial<typeof globalThis>).Cache?.prototype ?? {}, name, {
      call: (_self, _args, native) => new Promise((resolve) => page.hold(() => resolve(native()))),
    })
}
