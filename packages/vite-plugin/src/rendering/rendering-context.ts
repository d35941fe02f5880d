import { AsyncLocalStorage } from 'node:async_hooks'

import type { Connect } from 'vite'

/** Set while code runs that was started by a request to the dev server or by the import of an app's module. */
const context = new AsyncLocalStorage<true>()

/** Returns whether the current code runs for the app. All other code in this process belongs to the build tool. */
export function isOfApp(): boolean {
  return context.getStore() === true
}

/**
 * Marks the current code, and all asynchronous work that it starts, as the app's. Servers of frameworks await the
 * functions that they call.
 */
export function enterApp(): void {
  context.enterWith(true)
}

/** Runs a function, and all asynchronous work that it starts, for the build tool. */
export function runOutsideApp<Result>(callback: () => Result): Result {
  return context.exit(callback)
}

const proxied = new WeakSet<object>()

/** Returns whether Vite's proxy handles a request, so that the response comes from another server. */
export function isProxied(response: object): boolean {
  return proxied.has(response)
}

/**
 * Excludes Vite's proxy from mocking: it forwards requests of the browser, which the page's handlers have already
 * passed through.
 */
export function excludeProxy({ stack }: Connect.Server): void {
  for (const layer of stack) {
    const { handle } = layer
    if (typeof handle !== 'function' || handle.name !== 'viteProxyMiddleware') continue
    const forward = handle as Connect.NextHandleFunction
    layer.handle = ((request, response, next) => {
      proxied.add(response)
      const goOn = AsyncLocalStorage.bind((...args: Parameters<typeof next>) => {
        proxied.delete(response)
        next(...args)
      })
      runOutsideApp(() => forward(request, response, goOn))
    }) satisfies Connect.NextHandleFunction
  }
}
