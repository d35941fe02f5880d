import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The destinations of responses that become documents. */
const documents = ['document', 'iframe', 'frame', 'embed', 'object']

/**
 * Returns whether the response becomes a document and is not for a script. Browsers send no `Sec-Fetch` headers to
 * insecure origins, so use the accepted types there.
 */
export function isForDocument(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination === undefined) return headers.accept?.includes('text/html') ?? false
  return documents.includes(String(destination)) || isNavigation(headers)
}

/**
 * Returns whether a request is a navigation. In Firefox, a navigation that a service worker forwards has the
 * destination `empty` and the mode `same-origin`. Only `Upgrade-Insecure-Requests` distinguishes it from a script's
 * request.
 *
 * @see https://fetch.spec.whatwg.org/#upgrade-insecure-requests-header navigations send it
 */
export function isNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode === undefined) return headers.accept?.startsWith('text/html') ?? false
  return mode === 'navigate' || headers['upgrade-insecure-requests'] === '1'
}

/** Returns the origin of the page that a request asks for. HTTP/2 has another name for the host. */
export function originOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const host = headers.host ?? headers[':authority'] ?? 'localhost'
  return `${'encrypted' in socket ? 'https' : 'http'}://${String(host)}`
}

/**
 * Returns the path and the query of a request as the browser sent them. A server in front, such as Express, removes the path at
 * which it has the dev server from `url`.
 */
export function pathOf({
  originalUrl,
  url = '/',
}: {
  readonly originalUrl?: string | undefined
  readonly url?: string | undefined
}): string {
  return originalUrl ?? url
}
