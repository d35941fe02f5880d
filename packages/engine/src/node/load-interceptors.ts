import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'

import { captureCallSite } from '../core/call-site.ts'

type Interceptors = typeof import('@mswjs/interceptors') &
  typeof import('@mswjs/interceptors/http') &
  typeof import('@mswjs/interceptors/XMLHttpRequest/node')

let loaded: Interceptors | undefined

/**
 * Loads what watches sockets ahead of the first one, where that cannot be done within a call: in a context of `node:vm`
 * (Vitest's pools of VMs), `require` knows no ECMAScript modules, and what Node itself loads sees another global object.
 */
export async function loadInterceptorsAhead(): Promise<void> {
  if (runInThisContext('globalThis') === globalThis) return
  loaded ??= {
    ...(await import('@mswjs/interceptors')),
    ...(await import('@mswjs/interceptors/http')),
    ...(await import('@mswjs/interceptors/XMLHttpRequest/node')),
  }
}

/**
 * What watches sockets. It is loaded when there is one to watch, within the call that makes it: a process that requests
 * by `fetch` alone, as most tests do, is spared the time.
 */
export function loadInterceptors(): Interceptors {
  if (!loaded) {
    // By where this was called from, and not by `import.meta`: test runners that make scripts of modules have none.
    const place = captureCallSite(loadInterceptors)()?.file ?? join(process.cwd(), 'index.js')
    const require = createRequire(place)
    loaded = {
      ...(require('@mswjs/interceptors') as typeof import('@mswjs/interceptors')),
      ...(require('@mswjs/interceptors/http') as typeof import('@mswjs/interceptors/http')),
      ...(require('@mswjs/interceptors/XMLHttpRequest/node') as typeof import('@mswjs/interceptors/XMLHttpRequest/node')),
    }
  }
  return loaded
}
