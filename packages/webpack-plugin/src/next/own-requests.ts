import type { ResolvedOptions } from '@understudy/engine/internal/dev'

type Strategy = ResolvedOptions['onUnhandledRequest']

/**
 * Returns statements for pages that declare `withPolicy(module)`, which returns a handlers module whose policy for
 * unhandled requests ignores Next's own requests, such as payloads of server components.
 *
 * @param ownRequests a regular expression for their URLs
 */
export function createPagePolicy(ownRequests: string, strategy: Strategy): string {
  return `import { isCommonAssetRequest } from '@understudy/engine'
const ownRequests = new RegExp(${JSON.stringify(ownRequests)})
const isOfNext = ({ url, headers }) => {
  if (new URL(url).origin !== location.origin) return false
  if (ownRequests.test(url)) return true
  return ['rsc', 'next-action', 'next-router-state-tree'].some((name) => headers.has(name))
}
const withPolicy = (module) => ({
  ...module,
  onUnhandledRequest(request, print) {
    if (isOfNext(request)) return undefined
    if (typeof module.onUnhandledRequest === 'function') return module.onUnhandledRequest(request, print)
    if (!isCommonAssetRequest(request)) applyStrategy(request, print)
  },
})
${describeStrategy(strategy)}`
}

/**
 * Returns a regular expression for the URLs at which Next's code in pages requests its manifests, the data of pages and payloads of
 * server components. A handler such as `http.all('*')` would answer these requests, and pages would not hydrate.
 *
 * @param assetPrefix a path or a URL. Manifests are below it; the data of pages is below the base path
 */
export function describeOwnRequests(basePath: string, assetPrefix: string): string {
  const prefixes = [basePath, assetPrefix].map(toPrefix).join('|')
  return String.raw`^[^/]+\/\/[^/]+(?:${prefixes})?\/+(?:_next\/|__nextjs)|^[^?#]*\?(?:[^#]*&)?_rsc=`
}

/** Returns the path of a URL, without a slash at the end, as a part of a regular expression. */
function toPrefix(url: string): string {
  const { pathname = '' } = URL.parse(url, 'http://localhost') ?? {}
  return pathname.replace(/\/+$/, '').replaceAll(/[^\w/-]/g, String.raw`\$&`)
}

function describeStrategy(strategy: Strategy): string {
  if (strategy === 'bypass') return 'function applyStrategy() {}'
  if (strategy === 'warn') return 'const applyStrategy = (_request, print) => print.warning()'
  return `function applyStrategy({ method, url }, print) {
  print.error()
  throw new TypeError('Failed to fetch ' + url + ': no handler matches ' + method + ' ' + url + '. Add one.')
}`
}

/** Returns whether Next itself makes a request of this process: telemetry, and its check of its own version on npm. */
export function isOfNext({ url }: { readonly url: string }): boolean {
  const { hostname, pathname } = new URL(url)
  return hostname === 'telemetry.nextjs.org' || /^\/-\/(npm|package)\//.test(pathname)
}
