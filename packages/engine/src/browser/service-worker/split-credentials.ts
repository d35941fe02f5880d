import { decodeOrKeep } from '../../core/routing/route.ts'

/**
 * What an XMLHttpRequest asks for may have a name and a password in its URL, and a `Request` may not: there they are what
 * a server is sent of them.
 *
 * @returns the URL without them, and the `Authorization` that they make
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
