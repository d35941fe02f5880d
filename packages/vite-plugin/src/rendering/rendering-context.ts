import { AsyncLocalStorage } from 'node:async_hooks'

import type { Connect } from 'vite'

/** Set while code runs that a request to the dev server, or the import of an app's module, has led to. */
const context = new AsyncLocalStorage<true>()

/** Whether what runs now does so for the app. Everything else in this process is the tool's own. */
export function isOfApp(): boolean {
  return context.getStore() === true
}

/** What runs from here on, and all that comes of it, is the app's: servers of frameworks await what they call. */
export function enterApp(): void {
  context.enterWith(true)
}

/** Runs a function, and all that comes of it, for the tool itself. */
export function runOutsideApp<Result>(callback: () => Result): Result {
  return context.exit(callback)
}

const proxied = new WeakSet<object>()

/** Whether Vite's proxy has taken a request: its response is another server's. */
export function isProxied(response: object): boolean {
  return proxied.has(response)
}

/** Has Vite's proxy work for the tool itself: what it forwards is the browser's, and was not to be mocked there. */
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
