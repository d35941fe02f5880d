import { parseSetCookie } from './parse-set-cookie.ts'

/** A cookie as a user agent keeps it (RFC 6265, section 5.3). */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** Lower case, without a leading dot. */
  readonly domain: string
  /** Whether the cookie belongs only to that host, and not to its subdomains. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  /** Milliseconds since 1970; `null`: until the session ends. */
  readonly expires: number | null
}

/** Returns whether a domain is a public suffix, such as `co.uk` or `github.io`, which no site owns. */
export type IsPublicSuffix = (domain: string) => boolean

/**
 * Reads a `Set-Cookie` header of the response to a request. Follows RFC 6265, sections 5.2 and 5.3, and RFC 6265bis for
 * the prefixes `__Host-` and `__Secure-`, for `Secure`, for size, and for control characters.
 *
 * @param now the start of `Max-Age`, in milliseconds since 1970
 * @param isPublicSuffix default: returns `true` only for a domain without a dot
 * @returns the cookie, or the reason why a browser would reject it
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.3
 */
export function toStoredCookie(
  header: string,
  url: URL,
  now: number,
  isPublicSuffix: IsPublicSuffix = () => false,
): StoredCookie | { readonly refusal: string } {
  const { name, value, maxAge, expires, secure, httpOnly, ...attributes } = parseSetCookie(header)
  if (name === '') return { refusal: 'it has no name' }
  // A tab is allowed (RFC 6265bis, section 5.6).
  if (/[^\t\x20-\x7e\x80-\uffff]/.test(header)) return { refusal: 'it contains a control character' }
  if (name.length + value.length > 4096) return { refusal: 'its name and value exceed 4096 bytes' }
  const host = url.hostname
  let domain = attributes.domain === undefined ? undefined : toAscii(attributes.domain)
  if (domain !== undefined && domain !== host && (!domain.includes('.') || !isBelow(host, domain))) {
    return { refusal: `its domain "${domain}" is not that of ${host}` }
  }
  if (domain !== undefined && isPublicSuffix(domain)) {
    if (domain !== host) return { refusal: `its domain "${domain}" is a public suffix, which no site owns` }
    domain = undefined
  }
  if (secure && !isSecure(url)) return { refusal: `it has the attribute Secure, and ${url.origin} is not secure` }
  if (/^__(?:secure|host)-/i.test(name) && !secure) return { refusal: 'its name demands the attribute Secure' }
  const path = attributes.path ?? defaultPath(url)
  if (/^__host-/i.test(name) && (attributes.domain !== undefined || path !== '/')) {
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
    expires: maxAge === undefined ? (expires ?? null) : maxAge <= 0 ? 0 : now + maxAge * 1000,
  }
}

/** International domain names are compared in the spelling of URLs (section 5.1.2). */
function toAscii(domain: string): string {
  // The URL parser would remove a port or a path, and an invalid domain would become valid.
  if (/^[\w.-]*$/.test(domain) || /[:/?#@\\]/.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}

/**
 * Returns whether a cookie from an insecure URL would replace or shadow a `Secure` one.
 *
 * @see https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-storage-model
 */
export function isOverlayOfSecure(cookie: StoredCookie, url: URL, secured: StoredCookie): boolean {
  return (
    secured.secure &&
    !isSecure(url) &&
    secured.name === cookie.name &&
    (isWithin(cookie.domain, secured.domain) || isWithin(secured.domain, cookie.domain)) &&
    isOfPath(cookie.path, secured.path)
  )
}

/** Returns whether two cookies have the same identity, so that the later one replaces the earlier one. */
export function isSameCookie(a: StoredCookie, b: StoredCookie): boolean {
  return a.name === b.name && a.domain === b.domain && a.hostOnly === b.hostOnly && a.path === b.path
}

/** Returns whether a request to a URL sends a cookie (section 5.4), regardless of its expiry. */
export function isCookieFor(cookie: StoredCookie, url: Pick<URL, 'hostname' | 'pathname' | 'protocol'>): boolean {
  const { domain, hostOnly, path, secure } = cookie
  const { hostname, pathname } = url
  const isOfHost = hostname === domain || (!hostOnly && isBelow(hostname, domain))
  return isOfHost && isOfPath(pathname, path) && (!secure || isSecure(url))
}

/** Returns whether a request's path is a cookie's path or below it (section 5.1.4). */
function isOfPath(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || isBelow(host, domain)
}

/** Returns whether a host name is a domain or below it (section 5.1.3). An IP address has no parent domains. */
function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host)
}

/** Returns the folder of the request's path (section 5.1.4). */
function defaultPath({ pathname }: URL): string {
  const end = pathname.lastIndexOf('/')
  return end <= 0 ? '/' : pathname.slice(0, end)
}

/** Browsers trust a loopback host without https. */
function isSecure({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (protocol === 'https:' || protocol === 'wss:') return true
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
}
