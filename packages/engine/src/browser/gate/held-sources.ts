import type { HeldPage } from './held-page.ts'

/** The attributes that make an element send a request, with their interfaces. */
export const sourceAttributes = [
  ['HTMLImageElement', 'src'],
  ['HTMLImageElement', 'srcset'],
  ['HTMLMediaElement', 'src'],
  ['HTMLSourceElement', 'src'],
  ['HTMLSourceElement', 'srcset'],
  ['HTMLVideoElement', 'poster'],
] as const

/** The held sources of elements. */
export interface HeldSources {
  /** Returns whether an element waits for a source. An audio or video may wait for one of its `<source>` elements. */
  isWaiting(element: Element): boolean
  /** Returns the last value of an attribute, if that value is held. */
  get(element: Element, name: string): string | undefined
  /**
   * Holds the value of an attribute if the element would send a request for it.
   *
   * @returns whether the value is held. If it is not, the value held before is dropped
   */
  hold(element: Element, name: string, value: string): boolean
  forget(element: Element, name: string): void
}

export function createHeldSources(page: HeldPage): HeldSources {
  const { scope } = page
  const values = new WeakMap<Element, Map<string, string>>()
  const withdrawals = new WeakMap<Element, (() => void) | undefined>()

  function makesRequest(element: Element, name: string, value: string): boolean {
    return (
      !page.isOpen &&
      value !== '' &&
      // Elements of other documents send no requests, and code that creates these documents serializes them.
      element.ownerDocument === scope.document &&
      sourceAttributes.some(([type, each]) => each === name && element instanceof scope[type]) &&
      page.resolve(value) !== undefined
    )
  }

  /** Loads an audio or video again: if it found no source, it does not check again when its `<source>` gets one. */
  function reload(parent: Node | null): void {
    if (
      parent instanceof scope.HTMLMediaElement &&
      (parent.networkState === parent.NETWORK_EMPTY || parent.networkState === parent.NETWORK_NO_SOURCE)
    ) {
      parent.load()
    }
  }

  function forget(element: Element, name: string): void {
    const held = values.get(element)
    if (!held?.delete(name) || held.size > 0) return
    values.delete(element)
    withdrawals.get(element)?.()
  }

  return {
    isWaiting: (element) => [element, ...element.children].some((each) => values.has(each)),

    get: (element, name) => values.get(element)?.get(name),

    hold(element, name, value) {
      if (!makesRequest(element, name, value)) {
        forget(element, name)
        return false
      }
      const known = values.get(element)
      const held = (known ?? new Map<string, string>()).set(name, value)
      if (known) return true
      values.set(element, held)
      const withdraw = page.hold(() => {
        values.delete(element)
        for (const attribute of held) element.setAttribute(...attribute)
        reload(element.parentNode)
      })
      withdrawals.set(element, withdraw)
      return true
    },

    forget,
  }
}
