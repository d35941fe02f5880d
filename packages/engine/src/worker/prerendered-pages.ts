/** The maximum number of documents that are remembered. */
const limit = 20

/**
 * The pages that the browser loads before a person opens them, by speculation rules or from the address bar. It defers their
 * messages and locks until it shows them.
 *
 * @see https://wicg.github.io/nav-speculation/prerendering.html#patch-service-workers
 */
export class PrerenderedPages {
  /** URLs of documents. Their clients have no id yet when they are requested. */
  readonly #urls = new Set<string>()

  /** Remembers the request for a document if the browser prerenders its page. */
  note({ url, headers }: Request): void {
    if (!headers.get('Sec-Purpose')?.includes('prerender')) return
    this.#urls.add(url)
    for (const old of [...this.#urls].slice(0, -limit)) this.#urls.delete(old)
  }

  /** Returns whether the browser has not shown a page yet. */
  has({ url, visibilityState }: WindowClient): boolean {
    return visibilityState === 'hidden' && this.#urls.has(url)
  }
}
