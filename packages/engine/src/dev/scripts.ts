import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// Do not use `import.meta.resolve()`. Docusaurus loads its configuration with jiti 1, which evaluates modules as CommonJS and knows only
// `import.meta.url`.
const worker = pathToFileURL(createRequire(import.meta.url).resolve('@understudy/engine/worker'))

/** Returns the code of the service worker, a classic script. */
export function readWorkerScript(): string {
  return readFileSync(worker, 'utf8')
}

/**
 * Returns the code of the gate, a classic script that must be the first of every page. It can be placed inside
 * `<script>`.
 */
export function readGateScript(): string {
  return readFileSync(new URL('gate.js', worker), 'utf8').replaceAll('</script', '<\\/script')
}

/** Returns the code that a web worker must evaluate first. It runs as a module and as a classic script. */
export function readWebWorkerScript(): string {
  return readFileSync(new URL('web-worker.js', worker), 'utf8')
}

/**
 * A service worker that unregisters itself and deletes its cache. It is served at the worker's URL if mocking is off,
 * to remove the worker of an earlier run. Pages that it controls continue without an interruption. If the script of
 * another worker imports it, it does nothing.
 */
export const selfRemovingWorker: string = `// Understudy is off here: this worker removes itself.
{
  const [place] = /.*\\d\\)?$/m.exec(new Error().stack) ?? []
  const remove = async () => {
    await self.registration.unregister()
    await caches.delete('understudy:' + self.registration.scope)
  }
  if (place === undefined || place.includes(self.location.href)) {
    self.addEventListener('install', () => self.skipWaiting())
    self.addEventListener('activate', (event) => event.waitUntil(remove()))
  }
}
`
