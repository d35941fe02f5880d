const shown = new WeakSet<Headers>()

/**
 * Adds the cookies that a server would see to a request's headers. Browsers hide them from scripts, and never send the
 * cookies that mocked responses set. A request that passes through sends no additional cookies.
 *
 * @param readCookies returns the whole `Cookie` header, or an empty text; it is called when the header is read
 */
export function showCookies(request: Request, readCookies: () => string): Request {
  const { headers } = request
  // A request without a body is its own copy.
  if (shown.has(headers)) return request
  shown.add(headers)
  const get = headers.get.bind(headers)
  const has = headers.has.bind(headers)
  let isReading = false
  const read = (): string | null => {
    const sent = get('cookie')
    // `readCookies` reads this header, too. Return the original value to it.
    if (isReading) return sent
    isReading = true
    const cookies = readCookies()
    isReading = false
    return cookies || sent
  }
  const isCookie = (name: string): boolean => String(name).toLowerCase() === 'cookie'
  define(headers, 'get', (name) => (isCookie(name) ? read() : get(name)))
  define(headers, 'has', (name) => (isCookie(name) ? read() !== null : has(name)))
  return request
}

function define<Name extends 'get' | 'has'>(headers: Headers, name: Name, value: Headers[Name]): void {
  Object.defineProperty(headers, name, { value, configurable: true, writable: true })
}
