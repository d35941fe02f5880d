import * as interceptors from './interceptors.ts'

/**
 * What watches sockets. It is wanted when there is one to watch, within the call that makes it: a process that requests
 * by `fetch` alone, as most tests do, is spared the time.
 *
 * The build puts a file of its own in the place of this one (`build.ts`): it holds the interceptors whole, and evaluates
 * them at the first call. So they are there wherever the engine is: in the contexts of `node:vm` that test runners make,
 * where `require` knows no ECMAScript modules and leads to other globals, and in an app that was bundled into one file.
 */
export function loadInterceptors(): typeof interceptors {
  return interceptors
}
