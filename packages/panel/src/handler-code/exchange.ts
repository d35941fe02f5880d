/** A request and the response that a saved handler gives, as the panel's page sends them to the dev server. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** As in the log: `query GetUser`. */
  readonly name: string | null
  readonly status: number
  /** The media type of the body. */
  readonly type: string
  /** The body; `null` if the response has no body, or if it is not text. */
  readonly text: string | null
  /** The Base64 of a body that is not text. */
  readonly base64?: string | null
  /** Headers that a developer edited. The headers of other responses are not saved. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The URL of the page that made the request. Its origin does not become part of the handler's path. */
  readonly pageUrl: string | null
  /** The handler that answered, such as `GET /api/users/:id`. */
  readonly header: string | null
  /** The line of the handler that answered, in its source file. Optional: without it, no handler is replaced. */
  readonly line?: number | null
  /** URLs of other requests with the same method, from which path parameters are suggested. */
  readonly otherUrls: readonly string[]
}

/** The maximum number of other URLs, and the maximum lengths of a URL and of a body (as text or Base64), in characters. */
export const otherUrlsLimit = 100
export const urlLimit = 2000
export const bodyLimit = 500_000

/** The maximum number of exchanges in one edit, and the maximum length of a request to save, in characters. */
export const exchangesLimit = 100
export const saveLimit = 5_000_000

const headersLimit = 50

/** Returns whether the dev server accepts a value as an exchange. */
export function isExchange(value: unknown): value is Exchange {
  if (!isRecord(value)) return false
  const {
    method,
    url,
    name,
    status,
    type,
    text,
    base64 = null,
    headers,
    pageUrl,
    header,
    line = null,
    otherUrls,
  } = value
  return (
    isText(method, 50) &&
    isUrl(url) &&
    (name === null || isText(name, 500)) &&
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    isText(type, 500) &&
    (text === null || isText(text, bodyLimit)) &&
    (base64 === null || (text === null && isText(base64, bodyLimit) && isBase64(base64))) &&
    Array.isArray(headers) &&
    headers.length <= headersLimit &&
    headers.every(isHeader) &&
    (pageUrl === null || isText(pageUrl, urlLimit)) &&
    (header === null || isText(header, urlLimit)) &&
    (line === null || Number.isSafeInteger(line)) &&
    Array.isArray(otherUrls) &&
    otherUrls.length <= otherUrlsLimit &&
    otherUrls.every(isUrl)
  )
}

/** Otherwise, `atob` would throw in each request of the handler. */
function isBase64(text: string): boolean {
  try {
    return atob(text) !== '' && /^[A-Za-z\d+/]+={0,2}$/.test(text)
  } catch {
    return false
  }
}

function isHeader(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || !value.every((each) => isText(each, 8000))) return false
  try {
    return new Headers([value as [string, string]]) instanceof Headers
  } catch {
    return false
  }
}

function isUrl(value: unknown): boolean {
  return isText(value, urlLimit) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

/** Returns whether a value is a text of at most this length. */
export function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit
}

/** Returns whether a value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
