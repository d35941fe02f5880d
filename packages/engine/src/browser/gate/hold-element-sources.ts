import type { HeldPage } from './held-page.ts'
import { createHeldSources, sourceAttributes, type HeldSources } from './held-sources.ts'

/**
 * Holds the requests that images, audio and video make when code sets their source. The element gets the last source
 * when the gate opens. Until then, its attributes and methods behave as if the element had that source, except
 * `attributes`, `outerHTML`, selectors and clones, which do not show it. A `<source>` in an audio or
 * video fires an `error`, as a `<source>` without `src` does.
 */
export function holdElementSources(page: HeldPage): void {
  const { scope } = page
  const sources = createHeldSources(page)

  for (const [type, name] of sourceAttributes) {
    page.wrap(scope[type].prototype, name, {
      get(self: Element, _args, native) {
        const value = sources.get(self, name)
        if (value === undefined) return native()
        return name === 'srcset' ? value : page.resolve(value)?.href
      },
      set(self: Element, [value]: [string], native) {
        if (!sources.hold(self, name, `${value}`)) native()
      },
    })
  }
  wrapAttributeMethods(page, sources)
  wrapLoading(page, sources)
}

function wrapAttributeMethods(page: HeldPage, sources: HeldSources): void {
  const { prototype } = page.scope.Element

  page.wrap(prototype, 'getAttribute', {
    call: (self: Element, [name]: [string], native) => sources.get(self, toName(name)) ?? native(),
  })
  page.wrap(prototype, 'hasAttribute', {
    call: (self: Element, [name]: [string], native) => sources.get(self, toName(name)) !== undefined || native(),
  })
  page.wrap(prototype, 'removeAttribute', {
    call(self: Element, [name]: [string], native) {
      sources.forget(self, toName(name))
      native()
    },
  })
  page.wrap(prototype, 'setAttribute', {
    call(self: Element, args: [string, string], native) {
      const [name, value] = args
      if (args.length < 2 || !sources.hold(self, toName(name), `${value}`)) native()
    },
  })
  page.wrap(prototype, 'setAttributeNS', {
    call(self: Element, args: [string | null, string, string], native) {
      const [namespace, name, value] = args
      if (args.length < 3 || namespace || !sources.hold(self, `${name}`, `${value}`)) native()
    },
  })
}

/** Attribute names are case-insensitive in HTML. */
function toName(name: string): string {
  return `${name}`.toLowerCase()
}

/** Wraps the methods that must wait until an element has its source. */
function wrapLoading(page: HeldPage, sources: HeldSources): void {
  const { scope } = page

  page.wrap(scope.HTMLImageElement.prototype, 'complete', {
    get: (self: Element, _args, native) => !sources.isWaiting(self) && native(),
  })
  for (const [type, name] of [
    ['HTMLImageElement', 'decode'],
    ['HTMLMediaElement', 'play'],
  ] as const) {
    page.wrap(scope[type].prototype, name, {
      call(self: Element, _args, native) {
        if (!sources.isWaiting(self)) return native()
        return new Promise((resolve) => {
          page.hold(() => {
            resolve(native())
          })
        })
      },
    })
  }
  // This constructor sets the source without calling the setter.
  page.wrap(scope, 'Audio', {
    construct([source]: [string | undefined], create) {
      if (source === undefined) return create()
      const audio = create([]) as HTMLAudioElement
      audio.src = source
      return audio
    },
  })
}
