/**
 * Creates a script for webpack's dev server. Every page keeps a connection for hot updates open, and a browser allows six
 * connections for each host: a docs page with six frames would hang. Frames therefore share the connection of the page
 * around them.
 */
export function createHotUpdatesScript(): string {
  return `(${String(shareHotUpdates)})()`
}

/** Runs in the page. It is injected as text, so it cannot use anything else from this file. */
function shareHotUpdates(): void {
  const key = Symbol.for('understudy:hot-updates')
  interface Frame {
    [key]?: EventSource
  }
  const isOfHotUpdates = (url: string): boolean => new URL(url, document.baseURI).pathname.endsWith('/__webpack_hmr')

  function findAbove(): EventSource | undefined {
    try {
      const isPreview = parent !== window && parent.location.pathname === location.pathname
      return isPreview ? (parent as Frame)[key] : undefined
    } catch {
      // A page of another origin embeds this page.
      return undefined
    }
  }

  /** Forwards the events of the embedding page's connection to this frame. */
  function relay(above: EventSource): EventTarget {
    const target = new EventTarget()
    const listeners: Record<string, ((event: Event) => void) | undefined> = {}
    const types = ['open', 'message', 'error']
    const tell = (event: Event): void => {
      const copy =
        event.type === 'message'
          ? new MessageEvent('message', { data: (event as MessageEvent<unknown>).data })
          : new Event(event.type)
      listeners[`on${event.type}`]?.(copy)
      target.dispatchEvent(copy)
    }
    const close = (): void => types.forEach((type) => above.removeEventListener(type, tell))
    for (const type of types) {
      above.addEventListener(type, tell)
      Object.defineProperty(target, `on${type}`, {
        get: () => listeners[`on${type}`],
        set(listener: (event: Event) => void) {
          listeners[`on${type}`] = listener
        },
      })
    }
    addEventListener('pagehide', close)
    if (above.readyState === above.OPEN) setTimeout(() => tell(new Event('open')))
    return Object.defineProperties(Object.assign(target, { close }), {
      readyState: { get: () => above.readyState },
      url: { get: () => above.url },
    })
  }

  window.EventSource = new Proxy(window.EventSource, {
    construct(native, args: [url: string | URL, init?: EventSourceInit], newTarget) {
      const above = isOfHotUpdates(String(args[0])) ? findAbove() : undefined
      if (above) return relay(above)
      const source = Reflect.construct(native, args, newTarget) as EventSource
      if (isOfHotUpdates(source.url)) (window as Frame)[key] = source
      return source
    },
  })
}
