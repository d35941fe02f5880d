import { decodeOrKeep } from '../../core/routing/route.ts'

/**
 * Removes the user name and the password from a URL. The URL of an XMLHttpRequest may contain them, but that of a
 * `Request` may not: there, they become a header.
 *
 * @returns the URL without them, and the value of the header `Authorization`
 * @see https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
export function splitCredentials(given: string | URL): { url: URL; authorization: string | undefined } {
  const url = new URL(given)
  const { username, password } = url
  if (username === '' && password === '') return { url, authorization: undefined }
  url.username = url.password = ''
  const bytes = new TextEncoder().encode(`${decodeOrKeep(username)}:${decodeOrKeep(password)}`)
  return { url, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
