import { bypassMark } from '../../core/responses/bypass.ts'

const bypassMarks = [bypassMark, 'msw/passthrough']

/**
 * The requests with which the dev servers of webpack and Rspack send hot updates and compile lazily. If the gate held
 * these, the fix of a broken handler would never arrive.
 */
const devServerPath = /\.hot-update\.json$|\/__webpack_hmr$|\/lazy-compilation-using-|\/_rspack\/lazy\//

/** The WebSocket subprotocols that Vite uses for hot updates and to detect that its server is back. */
export const devServerProtocol: RegExp = /^vite-/

/**
 * Whether requests to a URL pass a held gate.
 *
 * @param own see {@link PageState.neverHeld}
 * @param page the page's own address
 */
export function isNeverHeld(url: URL, own: readonly string[], page: string): boolean {
  return (
    // Everything else (blob:, data:, about:, an extension's) is never mocked.
    !/^(http|ws)s?:$/.test(url.protocol) ||
    devServerPath.test(url.pathname) ||
    own.some((each) => isBelow(url, each, page))
  )
}

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** A dev server may have a name and a port of its own; an API elsewhere may have the same path. */
function isBelow({ hostname, pathname }: URL, own: string, page: string): boolean {
  const url = new URL(own, page)
  const isThere = hostname === url.hostname || (own.startsWith('/') && thisMachine.test(hostname))
  return isThere && `${pathname}/`.startsWith(url.pathname.replace(/\/*$/, '/'))
}

/** Returns whether `bypass()` marked a request in its `Accept` header. */
export function hasBypassMark(accept: string | null): boolean {
  return bypassMarks.some((mark) => accept?.includes(mark))
}
