import { pageUrl } from '../routing/page-url.ts'

const assetExtensions =
  /\.(?:[cm]?[jt]sx?|s?css|less|html?|vue|svelte|map|wasm|json|webmanifest|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|ico|svg|mp4|webm|og[gv]|mov|mp3|wav|flac|aac|pdf|txt|csv|xml|md|zip|tar|gz|rar|7z)$/i

/**
 * Returns whether a request asks for a static asset or for an internal file of a dev server. Such a request causes no
 * warning when it is unhandled. It may still have a handler.
 *
 * @example
 * worker.start({ onUnhandledRequest: (request, print) => { if (!isCommonAssetRequest(request)) print.error() } })
 */
export function isCommonAssetRequest(request: Pick<Request, 'url'>): boolean {
  const url = new URL(request.url)
  return (
    url.protocol === 'file:' ||
    url.hostname === 'fonts.googleapis.com' ||
    // A tool that sends the console to the terminal would send each warning about its own requests, without end.
    (/^\/__[a-z]/i.test(url.pathname) && mayBeDevServer(url)) ||
    /node_modules|\/@(?:vite|id|fs|react-refresh)\b|\/_rspack\/lazy\/|\/lazy-compilation-using-/.test(url.pathname) ||
    assetExtensions.test(url.pathname)
  )
}

/** Returns whether a dev server may answer a URL. APIs on other origins may have paths like those of its tools. */
function mayBeDevServer({ hostname, origin }: URL): boolean {
  const page = pageUrl()
  return /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname) || (page !== undefined && new URL(page).origin === origin)
}
