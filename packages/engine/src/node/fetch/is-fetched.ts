/**
 * Returns whether `fetch` received a response, and nothing constructed it. `type` is not enough: that of happy-dom's
 * constructed responses is `'basic'`, too.
 */
export function isFetched({ type, url }: Response): boolean {
  return type !== 'default' && url !== ''
}
