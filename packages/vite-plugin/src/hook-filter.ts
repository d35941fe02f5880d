/**
 * Returns a filter for a hook that is about certain modules. Without a filter, Vite's bundler calls the hook for every module of the app,
 * which takes much longer than the hook itself. Vite before 6.3 ignores filters, so the hook must check the id, too.
 *
 * @param ids ids without a query. Without one, the filter matches no module
 * @see https://vite.dev/guide/api-plugin#hook-filters
 */
export function onlyFor(...ids: readonly string[]): { id: RegExp } {
  // An id is never empty.
  if (ids.length === 0) return { id: /^$/ }
  return { id: new RegExp(`^(?:${ids.map((id) => id.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&')).join('|')})$`) }
}
