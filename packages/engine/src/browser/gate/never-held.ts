import { bypassMark } from '../../core/responses/bypass.ts'

const bypassMarks = [bypassMark, 'msw/passthrough']

/**
 * How the dev servers of webpack and Rspack send hot updates and compile lazily. Were these held,
 * the mend of a broken handler would never arrive.
 */
const devServerPath = /\.hot-update\.json$|\/__webpack_hmr$|\/lazy-compilation-using-|\/_rspack\/lazy\//

/** The subprotocols of Vite's hot updates, and by which it finds out that its server is back. */
export const devServerProtocol: RegExp = /^vite-/

/** Whether requests to a URL pass a held gate. */
export function isNeverHeld(url: URL, ownPaths: readonly string[]): boolean {
  return (
    // Everything else (blob:, data:, about:, an extension's) is never mocked.
    !/^(http|ws)s?:$/.test(url.protocol) ||
    devServerPath.test(url.pathname) ||
    ownPaths.some((path) => `${url.pathname}/`.startsWith(path.replace(/\/*$/, '/')))
  )
}

/** Whether a request asks to be performed as it is, by what `bypass()` puts into its `Accept` header. */
export function hasBypassMark(accept: string | null): boolean {
  return bypassMarks.some((mark) => accept?.includes(mark))
}
