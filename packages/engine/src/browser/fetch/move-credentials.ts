import { decodeOrKeep } from '../../core/routing/route.ts'

/**
 * Returns a URL without its user name and password. The URL of an XMLHttpRequest may contain them, but that of a
 * `Request` may not.
 *
 * @param headers get them as `Authorization`, unless they have this header
 * @see https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
export function moveCredentials(given: string | URL, headers: Headers): URL {
  const url = new URL(given)
  const { username, password } = url
  url.username = url.password = ''
  if (username + password !== '' && !headers.has('authorization')) {
    const bytes = new TextEncoder().encode(`${decodeOrKeep(username)}:${decodeOrKeep(password)}`)
    headers.set('authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`)
  }
  return url
}
