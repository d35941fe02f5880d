import { readFileSync } from 'node:fs'

const worker = new URL(import.meta.resolve('@understudy/engine/worker'))

/** The service worker, one classic script. */
export function readWorkerScript(): string {
  return readFileSync(worker, 'utf8')
}

/** The gate, one classic script to be the first of every page. Safe to stand within `<script>`. */
export function readGateScript(): string {
  return readFileSync(new URL('gate.js', worker), 'utf8').replaceAll('</script', '<\\/script')
}

/**
 * A service worker that removes itself, and with it what an earlier run left: served under the worker's URL where
 * mocking is off. Pages that it controls continue without an interruption. Imported by another worker's script, it does nothing.
 */
export const selfRemovingWorker: string = `// Understudy is off here: this worker removes itself.
{
  const place = new Error().stack.split('\\n').find((line) => line.includes('://'))
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
