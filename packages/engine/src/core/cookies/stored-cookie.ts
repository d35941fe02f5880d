import { parseSetCookie } from 'cookie'

/** A cookie as a user agent keeps it (RFC 6265, section 5.3). */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** Lower case, without a dot in front. */
  readonly domain: string
  /** Whether it is for that host alone, and not for those below it. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  /** Milliseconds since 1970; `null`: until the session ends. */
  readonly expires: number | null
}

/**
 * Reads a `Set-Cookie` header as the answer to a request.
 *
 * The rules are RFC 6265's, sections 5.2 and 5.3, and those of RFC 6265bis for names that begin with `__Host-` and
 * `__Secure-`. A table of public suffixes is left out, for its size: what is refused instead is a domain without a dot.
 *
 * @param now milliseconds since 1970, what `Max-Age` counts from
 * @returns the cookie, or why a browser would refuse it
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3
 */
export function toStoredCookie(header: string, url: URL, now: number): StoredCookie | { readonly refusal: string } {
  const { name, value = '', maxAge, expires, secure = false, httpOnly = false, ...attributes } = parseSetCookie(header)
  if (name === '') return { refusal: 'it has no name' }
  const host = url.hostname
  const domain = attributes.domain?.replace(/^\./, '').toLowerCase() || undefined
  if (domain !== undefined && domain !== host && (!domain.includes('.') || !isBelow(host, domain))) {
    return { refusal: `its domain "${domain}" is not that of ${host}` }
  }
  if (/^__(?:secure|host)-/i.test(name) && !secure) return { refusal: 'its name demands the attribute Secure' }
  const path = attributes.path?.startsWith('/') ? attributes.path : defaultPath(url)
  if (/^__host-/i.test(name) && (domain !== undefined || path !== '/')) {
    return { refusal: 'its name demands Path=/ and no Domain' }
  }
  return {
    name,
    value,
    domain: domain ?? host,
    hostOnly: domain === undefined,
    path,
    secure,
    httpOnly,
    expires: maxAge === undefined ? (expires?.getTime() ?? null) : maxAge <= 0 ? 0 : now + maxAge * 1000,
  }
}

/** Whether two cookies are one: the later takes the earlier's place. */
export function isSameCookie(a: StoredCookie, b: StoredCookie): boolean {
  return a.name === b.name && a.domain === b.domain && a.hostOnly === b.hostOnly && a.path === b.path
}

/** Whether a cookie goes along with a request to a URL (section 5.4), its expiry aside. */
export function isCookieFor(cookie: StoredCookie, url: Pick<URL, 'hostname' | 'pathname' | 'protocol'>): boolean {
  const { domain, hostOnly, path, secure } = cookie
  const { hostname, pathname, protocol } = url
  const isOfHost = hostname === domain || (!hostOnly && isBelow(hostname, domain))
  const isOfPath = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return isOfHost && isOfPath && (!secure || protocol === 'https:' || isLoopback(hostname))
}

/** Whether a host's name ends in a domain (section 5.1.3); an address has no domains above it. */
function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host)
}

/** The folder of the request (section 5.1.4). */
function defaultPath({ pathname }: URL): string {
  const end = pathname.lastIndexOf('/')
  return end <= 0 ? '/' : pathname.slice(0, end)
}

/** Browsers trust these without https. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
}
