import { AsyncLocalStorage } from 'node:async_hooks'

import type { Connect } from 'vite'

/** Marks code of an app. It refers to a rendering so that the code does not keep the server from before a restart. */
export interface AppMark {
  /** The rendering that answers the requests of the code. `undefined` if the app's server is closed. */
  answeredBy: object | undefined
}

/**
 * The apps that the current code belongs to, the last one first. Set while code runs that was started by a request to a
 * dev server or by the import of an app's module.
 */
const context = new AsyncLocalStorage<readonly AppMark[]>()

/** Returns whether a rendering answers the requests of the current code. Other code belongs to another app or the build tool. */
export function isOfApp(rendering: object): boolean {
  return context.getStore()?.some(({ answeredBy }) => answeredBy === rendering) ?? false
}

/**
 * Marks the current code, and all asynchronous work that it starts, as the app's. Servers of frameworks await the
 * functions that they call.
 */
export function enterApp(mark: AppMark): void {
  context.enterWith([mark])
}

/**
 * Marks the code that imports a module of an app. It may be a script that calls functions of several apps. If it
 * belonged to the last app only, the requests of the other apps would reach the network.
 */
export function enterAppToo(mark: AppMark): void {
  const others = (context.getStore() ?? []).filter((other) => other.answeredBy && other !== mark)
  context.enterWith([mark, ...others])
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
