/**
 * Returns whether a response was received by `fetch`, and not constructed. `type` does not show this: constructed
 * responses of happy-dom have the type `'basic'`, too.
 */
export function isFetched({ type, url }: Response): boolean {
  return type !== 'default' && url !== ''
}
