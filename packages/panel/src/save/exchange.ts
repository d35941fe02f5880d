/** A request and the response that a saved handler gives, as the panel's page sends them to the dev server. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** As in the log: `query GetUser`. */
  readonly name: string | null
  readonly status: number
  /** The media type of the body. */
  readonly type: string
  /** The body; `null` if the response has no body. */
  readonly text: string | null
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

/** Whether a saved handler replaces the resolver of the handler that answered, or comes before all handlers. */
export type SaveMode = 'insert' | 'replace'

/** A request of the panel's page to the dev server. The page never sends code or the path of a file. */
export type SaveRequest =
  | {
      readonly action: 'preview'
      readonly exchange: Exchange
      readonly path: string | null
      /** `null`: the dev server's suggestion. */
      readonly mode?: SaveMode | null
    }
  /** Several handlers in one edit; the exchanges are the oldest first. */
  | { readonly action: 'preview-all'; readonly exchanges: readonly Exchange[]; readonly path: string | null }
  | { readonly action: 'undo' | 'write'; readonly id: string }

/** An edit of the handlers file that was computed and not written yet. */
export interface SavePreview {
  /** The id of the edit for {@link SaveRequest}; `null` if the file cannot be edited. */
  readonly id: string | null
  /** The reason why the file cannot be edited. */
  readonly error: string | null
  /** The handlers file, relative to the project's root. */
  readonly file: string
  /** The new handler's header, such as `GET /api/users/:id`. */
  readonly header: string
  /** Paths to choose from, and the one in the code. */
  readonly paths: readonly string[]
  readonly path: string
  /** The effect of the edit. */
  readonly mode: SaveMode
  /** Whether the handler that answered can be replaced. */
  readonly canReplace: boolean
  readonly code: string
  /** A unified diff. */
  readonly diff: string
  /** Notes about redacted and shortened values, in sentences. */
  readonly notes: readonly string[]
}

/** The maximum number of other URLs, and the maximum lengths of a URL and of a body, in characters. */
export const otherUrlsLimit = 100
export const urlLimit = 2000
export const bodyLimit = 500_000

/** The maximum number of exchanges in one edit, and the maximum length of a request to save, in characters. */
export const exchangesLimit = 100
export const saveLimit = 5_000_000

const headersLimit = 50

/** @returns the request in a body; `undefined` if the body is malformed */
export function parseSaveRequest(body: string): SaveRequest | undefined {
  let data: unknown
  try {
    data = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!isRecord(data)) return undefined
  const { action, id, exchange, exchanges, path = null, mode = null } = data
  if (action === 'write' || action === 'undo') return isText(id, 100) ? { action, id } : undefined
  if (path !== null && !isText(path, urlLimit)) return undefined
  if (mode !== null && mode !== 'insert' && mode !== 'replace') return undefined
  if (action === 'preview') return isExchange(exchange) ? { action, exchange, path, mode } : undefined
  return action === 'preview-all' && isExchanges(exchanges) ? { action, exchanges, path } : undefined
}

function isExchanges(value: unknown): value is readonly Exchange[] {
  return Array.isArray(value) && value.length > 0 && value.length <= exchangesLimit && value.every(isExchange)
}

/** Returns whether the dev server accepts a value as an exchange. */
export function isExchange(value: unknown): value is Exchange {
  if (!isRecord(value)) return false
  const { method, url, name, status, type, text, headers, pageUrl, header, line = null, otherUrls } = value
  return (
    isText(method, 50) &&
    isUrl(url) &&
    (name === null || isText(name, 500)) &&
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    isText(type, 500) &&
    (text === null || isText(text, bodyLimit)) &&
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

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
