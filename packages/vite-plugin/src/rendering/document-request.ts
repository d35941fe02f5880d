import type { IncomingHttpHeaders } from 'node:http'

/** Destinations of responses that become documents. */
const documents = ['document', 'iframe', 'frame', 'embed', 'object']

/**
 * Whether a response becomes a document, rather than what a script reads. Origins that are not secure send no
 * `Sec-Fetch` headers: there, only the accepted types tell.
 */
export function isForDocument(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination === undefined) return headers.accept?.includes('text/html') ?? false
  return documents.includes(String(destination)) || isNavigation(headers)
}

/**
 * Whether a request navigates. One that a service worker performs has the destination `empty` and the mode `same-origin`
 * in Firefox. There, only `Upgrade-Insecure-Requests` distinguishes it from a script's request.
 *
 * @see https://fetch.spec.whatwg.org/#upgrade-insecure-requests-header navigations send it
 */
export function isNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode === undefined) return headers.accept?.startsWith('text/html') ?? false
  return mode === 'navigate' || headers['upgrade-insecure-requests'] === '1'
}
