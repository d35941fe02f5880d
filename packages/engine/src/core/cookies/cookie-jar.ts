import { print } from '../failure.ts'
import { splitCookies } from './cookie-header.ts'
import {
  isCookieFor,
  isOverlayOfSecure,
  isSameCookie,
  toStoredCookie,
  type IsPublicSuffix,
  type StoredCookie,
} from './stored-cookie.ts'

const storageKey = 'understudy:cookies'

/** Loads the list of public suffixes. */
export type PublicSuffixLoader = () => Promise<IsPublicSuffix>

/**
 * The cookies that mocked responses set. In a page, the cookies that scripts may see are also written to
 * `document.cookie`, and the jar survives a reload.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265
 */
export class CookieJar {
  /**
   * The cookies with longer paths first, then those that were set first (section 5.4). They are read from storage on
   * first use.
   */
  #stored: StoredCookie[] | undefined
  readonly #loadPublicSuffixes: PublicSuffixLoader | undefined

  /** @param loadPublicSuffixes called for the first cookie that names a domain. Default: no list is used */
  constructor(loadPublicSuffixes?: PublicSuffixLoader) {
    this.#loadPublicSuffixes = loadPublicSuffixes
  }

  /** Whether no request gets a cookie: mocked responses have set none, and there is no document. */
  get isEmpty(): boolean {
    return !page.document && !this.#stored?.length
  }

  /**
   * Returns the `Cookie` header of a request by its credentials mode: the document's cookies and those of mocked
   * responses, with the bytes that were set. Returns an empty text if there are no cookies.
   */
  headerFor(request: Request): string {
    if (!sendsCookies(request)) return ''
    const url = new URL(request.url)
    // Cookies do not depend on the port: the page has all cookies of its host.
    const isOfPage = url.hostname === page.location?.hostname
    const stored = this.#current()
    const pairs: string[] = []
    if (isOfPage) {
      for (const [name, pair] of splitCookies(readDocumentCookie() ?? '')) {
        const known = stored.filter((cookie) => cookie.name === name && !cookie.httpOnly)
        // The document may show a cookie whose path does not match this request.
        if (known.length === 0 || known.some((cookie) => isCookieFor(cookie, url))) pairs.push(pair)
      }
    }
    for (const cookie of stored) {
      // Read a cookie that the document shows only from there: the app may have changed or deleted it.
      if (!isCookieFor(cookie, url) || (isOfPage && isDocumentCookie(cookie))) continue
      pairs.push(`${cookie.name}=${cookie.value}`)
    }
    return pairs.join('; ')
  }

  /**
   * Stores the cookies that a response sets, by the request's URL and credentials mode.
   *
   * @returns a promise only if the list of public suffixes must be loaded first
   */
  store(request: Request, setCookies: readonly string[]): void | Promise<void> {
    if (setCookies.length === 0 || !sendsCookies(request)) return undefined
    const load = this.#loadPublicSuffixes
    if (load && setCookies.some((setCookie) => /;\s*domain\s*=/i.test(setCookie))) {
      return load().then((isPublicSuffix) => this.#store(request, setCookies, isPublicSuffix))
    }
    this.#store(request, setCookies)
  }

  #store(request: Request, setCookies: readonly string[], isPublicSuffix?: IsPublicSuffix): void {
    const url = new URL(request.url)
    for (const setCookie of setCookies) {
      const cookie = toStoredCookie(setCookie, url, Date.now(), isPublicSuffix)
      const refusal = 'refusal' in cookie ? cookie.refusal : this.#refusalOf(cookie, url)
      if (refusal !== undefined || 'refusal' in cookie) {
        print.warn(
          'US0701',
          `Failed to set the cookie "${setCookie}" for ${url.href}: ${refusal}. A browser would refuse it too.`,
        )
        continue
      }
      if (mayBeDocumentCookie(cookie)) writeDocumentCookie(toDocumentCookie(setCookie, cookie))
      this.#keep(cookie)
    }
    this.#write()
  }

  #refusalOf(cookie: StoredCookie, url: URL): string | undefined {
    return this.#current().some((stored) => isOverlayOfSecure(cookie, url, stored))
      ? `a cookie "${cookie.name}" with the attribute Secure exists, and ${url.origin} is not secure`
      : undefined
  }

  /** Deletes every cookie that mocked responses set, including those in the document. */
  clear(): void {
    for (const cookie of this.#current()) {
      if (!isOfDocument(cookie)) continue
      const { name, path, hostOnly, domain } = cookie
      writeDocumentCookie(`${name}=; Path=${path}${hostOnly ? '' : `; Domain=${domain}`}; Max-Age=0`)
    }
    this.#stored = []
    this.#write()
  }

  #current(): StoredCookie[] {
    const now = Date.now()
    this.#stored ??= readStorage()
    this.#stored = this.#stored.filter(({ expires }) => expires === null || expires > now)
    return this.#stored
  }

  #keep(cookie: StoredCookie): void {
    const cookies = this.#current()
    const index = cookies.findIndex((other) => isSameCookie(other, cookie))
    // A cookie that is set again keeps its place in the order (section 5.3, step 11.3).
    cookies[index === -1 ? cookies.length : index] = cookie
    cookies.sort((a, b) => b.path.length - a.path.length)
  }

  #write(): void {
    const cookies = this.#current()
    try {
      if (cookies.length > 0) storage()?.setItem(storageKey, JSON.stringify(cookies))
      else storage()?.removeItem(storageKey)
    } catch {
      // If the storage is full, the cookies are lost at the next reload.
    }
  }
}

/** Applies the credentials mode of the Fetch standard. Outside of a page there is no origin to compare, so `same-origin` includes cookies. */
function sendsCookies({ credentials, url }: Request): boolean {
  if (credentials === 'omit') return false
  const origin = pageOrigin()
  return credentials === 'include' || origin === undefined || origin === new URL(url).origin
}

interface Page {
  location?: Pick<Location, 'origin' | 'hostname' | 'pathname' | 'protocol'>
  document?: { cookie?: string }
  localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}
const page = globalThis as Page

function pageOrigin(): string | undefined {
  const origin = page.location?.origin
  return origin === 'null' ? undefined : origin
}

/** The path that the document was loaded from. */
const loadedPath = page.location?.pathname

/** Returns whether a document of this host could show a cookie. */
function isOfDocument(cookie: StoredCookie, pathname: string = cookie.path): boolean {
  if (cookie.httpOnly || !page.location || readDocumentCookie() === undefined) return false
  const { hostname, protocol } = page.location
  return isCookieFor(cookie, { hostname, protocol, pathname })
}

/**
 * Returns whether `document.cookie` of this page shows a cookie. If the page has changed its URL with the History API,
 * some browsers use the new path, as the HTML standard requires, and others use the path from which the page was
 * loaded.
 */
function isDocumentCookie(cookie: StoredCookie): boolean {
  return isOfDocument(cookie, page.location?.pathname) && isOfDocument(cookie, loadedPath)
}

function mayBeDocumentCookie(cookie: StoredCookie): boolean {
  return isOfDocument(cookie, page.location?.pathname) || isOfDocument(cookie, loadedPath)
}

/** A script's cookie has the document's folder as its default path, not the request's. */
function toDocumentCookie(setCookie: string, { path }: StoredCookie): string {
  return /;\s*path\s*=\s*\//i.test(setCookie) ? setCookie : `${setCookie}; Path=${path}`
}

function readDocumentCookie(): string | undefined {
  try {
    return page.document?.cookie
  } catch {
    // `document.cookie` throws in a sandboxed document.
    return undefined
  }
}

function writeDocumentCookie(text: string): void {
  if (page.document) page.document.cookie = text
}

// Use only a page's `localStorage`. Node has one too, which prints a warning and needs a file.
function storage(): Page['localStorage'] {
  try {
    return page.document ? page.localStorage : undefined
  } catch {
    return undefined
  }
}

function readStorage(): StoredCookie[] {
  try {
    const stored: unknown = JSON.parse(storage()?.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStoredCookie) : []
  } catch {
    return []
  }
}

function isStoredCookie(value: unknown): value is StoredCookie {
  const { name, value: text, domain, path } = (value ?? {}) as Partial<StoredCookie>
  return [name, text, domain, path].every((part) => typeof part === 'string')
}
