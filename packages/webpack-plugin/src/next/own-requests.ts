import type { ResolvedOptions } from '@understudy/engine/internal/dev'

type Strategy = ResolvedOptions['onUnhandledRequest']

/**
 * Returns statements for pages that declare `withPolicy(module)`, which returns a handlers module whose policy for
 * unhandled requests ignores Next's own requests, such as payloads of server components.
 */
export function createPagePolicy(basePath: string, strategy: Strategy): string {
  return `import { isCommonAssetRequest } from '@understudy/engine'
const isOfNext = ({ url, headers }) => {
  const { origin, pathname, searchParams } = new URL(url)
  if (origin !== location.origin) return false
  const path = pathname.slice(${basePath.length})
  if (/^\\/(_next\\/|__nextjs)/.test(path) || searchParams.has('_rsc')) return true
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
