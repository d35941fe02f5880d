import type { HeaderList, InspectedBody, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import { partOfBody } from '../log/to-har.ts'

/** A request and its response, as the log contains them. */
export interface RecordedExchange {
  readonly request: LoggedRequest
  readonly details: RequestDetails
}

/** The contents of an HTTP archive. */
export interface ParsedHar {
  /** The oldest first. */
  readonly exchanges: readonly RecordedExchange[]
  /** Notes about entries that were left out, in sentences. */
  readonly notes: readonly string[]
}

/** The maximum length of an archive in bytes. */
export const harLimit = 50_000_000

/**
 * Reads an HTTP archive (HAR 1.2). Pages and assets of an app are left out, because handlers answer APIs.
 *
 * @param name the name of the file, for the error
 * @throws {Error} if the text is not an archive
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function parseHar(text: string, name: string): ParsedHar {
  const entries = readEntries(text, name)
  const counts = { invalid: 0, assets: 0, others: 0 }
  const exchanges: RecordedExchange[] = []
  for (const [index, entry] of entries.entries()) {
    const exchange = toExchange(entry, index)
    if (typeof exchange === 'string') counts[exchange] += 1
    else exchanges.push(exchange)
  }
  const notes = [
    count(counts.assets, 'request for a page or an asset', 'requests for pages and assets'),
    count(counts.others, 'request that is not HTTP', 'requests that are not HTTP'),
    count(counts.invalid, 'entry that is not valid', 'entries that are not valid'),
  ]
  return {
    // The sort is stable: entries without a time stay in their order.
    exchanges: exchanges.toSorted((one, other) => one.request.startedAt - other.request.startedAt),
    notes: notes.filter((note) => note !== ''),
  }
}

/** The error for a file that is not an archive. */
export function harError(name: string, reason: string): Error {
  return new Error(
    `Failed to import ${name}: ${reason}. Choose an HTTP archive (.har), as browsers' developer tools save it. (US0860)`,
  )
}

function count(number: number, one: string, several: string): string {
  return number === 0 ? '' : `Left out: ${number} ${number === 1 ? one : several}.`
}

function readEntries(text: string, name: string): readonly unknown[] {
  let data: unknown
  try {
    // Some tools write a byte order mark.
    data = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw Object.assign(harError(name, 'it is not JSON'), { cause: error })
  }
  const { entries } = toRecord(toRecord(data)['log'])
  if (!Array.isArray(entries)) throw harError(name, 'it contains no list "log.entries"')
  return entries
}

function toExchange(entry: unknown, index: number): RecordedExchange | 'assets' | 'invalid' | 'others' {
  const { request, response, startedDateTime, time, _resourceType, _webSocketMessages } = toRecord(entry)
  const { method, url } = toRecord(request)
  if (!isText(method) || !/^[\w!#$%&'*+.^`|~-]+$/.test(method) || !isText(url) || !URL.canParse(url)) return 'invalid'
  const { protocol, pathname } = new URL(url)
  // Some tools write the URL of a WebSocket connection as that of its handshake.
  const isSocket = _resourceType === 'websocket' || _webSocketMessages !== undefined
  // Proxies write the tunnels of connections that they do not decrypt.
  const isTunnel = method.toUpperCase() === 'CONNECT'
  if (isSocket || isTunnel || (protocol !== 'http:' && protocol !== 'https:')) return 'others'
  if (isText(_resourceType) && otherTypes.has(_resourceType)) return 'assets'
  if (!isText(_resourceType) && assetPath.test(pathname)) return 'assets'
  const { status, statusText, headers, content } = toRecord(response)
  const startedAt = isText(startedDateTime) ? Date.parse(startedDateTime) : Number.NaN
  const hasStatus = Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599
  // JSON can contain 1e999.
  const duration = isAmount(time) ? time : null
  return {
    request: {
      id: `har-${index}`,
      method: method.toUpperCase(),
      url,
      name: null,
      startedAt: Number.isNaN(startedAt) ? 0 : startedAt,
      matchedAfter: null,
      duration: duration ?? 0,
      respondedAfter: hasStatus ? duration : null,
      outcome: 'unhandled',
      status: hasStatus ? (status as number) : null,
      statusText: isText(statusText) ? statusText : null,
      error: null,
      thrown: null,
      handler: null,
      forced: null,
      noResponse: [],
      nearest: [],
      suggestion: null,
    },
    details: {
      headers: { request: toHeaders(toRecord(request)['headers']), response: toHeaders(headers) },
      bodies: { request: toBody(toRecord(request)['postData']), response: toBody(content) },
      frames: [],
    },
  }
}

/** Chromium's types of requests that load a page. */
const otherTypes: ReadonlySet<string> = new Set(
  'document stylesheet script image font media manifest texttrack preflight ping csp-violation-report'.split(' '),
)

const assetPath =
  /\.(?:[cm]?[jt]sx?|s?css|less|vue|svelte|map|wasm|webmanifest|ttf|otf|woff2?|eot|gif|jpe?g|png|avif|webp|ico|svg|mp4|webm|mp3)$|\/@(?:vite|id|fs|react-refresh)\b|\/node_modules\//i

function toHeaders(value: unknown): HeaderList {
  if (!Array.isArray(value)) return []
  return value.flatMap((each): HeaderList => {
    const { name, value: text } = toRecord(each)
    return isText(name) && isText(text) ? [[name, text]] : []
  })
}

/** `postData` of a request, or `content` of a response; `null` if there was no body. */
function toBody(value: unknown): InspectedBody | null {
  const { mimeType, text, encoding, size, comment } = toRecord(value)
  const type = isText(mimeType) ? mimeType : ''
  const bytes = isAmount(size) ? size : 0
  // Browsers leave out bodies that they no longer have.
  if (!isText(text)) return bytes === 0 ? null : { type, size: bytes, isComplete: false, text: '', base64: null }
  const isComplete = comment !== partOfBody
  if (encoding !== 'base64') return { type, size: bytes || text.length, isComplete, text, base64: null }
  const decoded = isComplete ? decode(text, type) : null
  // Some tools break Base64 into lines.
  return { type, size: bytes, isComplete, text: decoded, base64: decoded === null ? text.replaceAll(/\s/g, '') : null }
}

/** The text of a body in Base64; `null` if it is not text. */
function decode(base64: string, type: string): string | null {
  if (!/^$|^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|graphql)\b/i.test(type)) return null
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
