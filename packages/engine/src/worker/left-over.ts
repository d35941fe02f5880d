declare const self: ServiceWorkerGlobalScope

/** A text that this worker's script has, and one that is served in its place does not. */
const mark = 'understudy:connect'

/**
 * Whether the server behind this origin does not serve this worker's script any more: the worker is left over from
 * another project on the same port, or from a dev server in whose place a preview of the build runs.
 */
export async function isLeftOver(): Promise<boolean> {
  try {
    const response = await fetch(self.location.href, { cache: 'no-store' })
    // A proxy whose server starts again answers by an error of its own.
    return response.status < 500 && !(response.ok && (await response.text()).includes(mark))
  } catch {
    // Offline, or the server is down. Then the page does not load either.
    return false
  }
}
