import { devServerPath } from '../../core/network/dev-server-path.ts'
import { bypassMark, mswBypassMark } from '../../core/responses/bypass.ts'

const bypassMarks = [bypassMark, mswBypassMark]

/** The WebSocket subprotocols that Vite uses for hot updates and to detect that its server is back. */
export const devServerProtocol: RegExp = /^vite-/

/**
 * Returns whether requests to a URL pass a closed gate.
 *
 * @param own see {@link PageState.neverHeld}
 * @param page the page's own address
 */
export function isNeverHeld(url: URL, own: readonly string[], page: string): boolean {
  return (
    // URLs with other schemes (blob:, data:, about:, those of extensions) are never mocked.
    !/^(http|ws)s?:$/.test(url.protocol) ||
    // If the gate held these requests, the fix of a broken handler would never arrive.
    devServerPath.test(url.pathname) ||
    own.some((each) => isBelow(url, each, page))
  )
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Compare the host, but not the port: a dev server may have another port, and an API on another host may have the same
 * path.
 */
function isBelow({ hostname, pathname }: URL, own: string, page: string): boolean {
  const url = new URL(own, page)
  const isThere = hostname === url.hostname || (own.startsWith('/') && thisMachine.test(hostname))
  return isThere && `${pathname}/`.startsWith(url.pathname.replace(/\/*$/, '/'))
}

/** Returns whether `bypass()` marked a request in its `Accept` header. */
export function hasBypassMark(accept: string | null): boolean {
  return bypassMarks.some((mark) => accept?.includes(mark))
}
