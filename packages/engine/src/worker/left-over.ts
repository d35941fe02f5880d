declare const self: ServiceWorkerGlobalScope

/** A text that this worker's script contains, and a script that replaces it does not. */
const mark = 'understudy:connect'

/**
 * Returns whether the server no longer serves this worker's script. Then the worker is left over from another project
 * on the same port, or from the dev server of an app whose build is now being previewed.
 */
export async function isLeftOver(): Promise<boolean> {
  try {
    const response = await fetch(self.location.href, { cache: 'no-store' })
    // A proxy whose server restarts responds with its own error.
    return response.status < 500 && !(response.ok && (await response.text()).includes(mark))
  } catch {
    // The browser is offline, or the server does not run. Then the page does not load either.
    return false
  }
}
