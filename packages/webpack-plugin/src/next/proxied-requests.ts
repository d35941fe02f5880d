import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Set while Next forwards a request of a browser because of its `rewrites`. */
const forwarding = new AsyncLocalStorage<true>()

/** Returns whether Next is forwarding a request of a browser, which the page's own handlers have passed through. */
export function isForwarding(): boolean {
  return forwarding.getStore() === true
}

type Pass = (...args: unknown[]) => unknown

interface ProxyPrototype {
  _getPasses?(type: string): readonly Pass[]
}

const known = new WeakSet<object>()

/**
 * Marks the requests of Next's proxy. If Next has another proxy, the handlers of the server answer its requests, too.
 */
export function markForwarding(root: string): void {
  try {
    const { ProxyServer } = createRequire(join(root, 'package.json'))('next/dist/compiled/httpxy') as {
      ProxyServer: { prototype: ProxyPrototype }
    }
    const { prototype } = ProxyServer
    const getPasses = Reflect.get(prototype, '_getPasses')
    if (!getPasses || known.has(prototype)) return
    known.add(prototype)
    prototype._getPasses = function list(type) {
      const passes = getPasses.call(this, type)
      return passes.map(
        (pass) =>
          (...args: unknown[]) =>
            forwarding.run(true, () => pass(...args)),
      )
    }
  } catch {
    // This version of Next has no such proxy.
  }
}
