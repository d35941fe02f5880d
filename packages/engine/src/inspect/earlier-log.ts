import type { LoggedConnection } from './connection-log.ts'
import type { Inspection } from './inspect.ts'
import type { InspectedBody } from './kept-body.ts'
import type { LoggedHandler, LoggedRequest } from './request-log.ts'
import { isListOf, isNumber, isObjectOf, isOrNull, isText } from './shape.ts'
import { isConnection, isDetails, isRequest, type EarlierPage, type RequestDetails } from './shared-data.ts'

interface KeptItem<Item> {
  readonly item: Item
  /** `null` if there was no space for the details. */
  readonly details: RequestDetails | null
}

interface KeptPage {
  readonly url: string
  readonly leftAt: number
  readonly requests: readonly KeptItem<LoggedRequest>[]
  readonly connections: readonly KeptItem<LoggedConnection>[]
}

/** An item whose details are read when there is space for them. */
interface LazyItem<Logged> {
  readonly item: Logged
  readonly readDetails: () => RequestDetails | null
}

interface ItemsOfPage {
  readonly url: string
  readonly leftAt: number
  readonly requests: readonly LazyItem<LoggedRequest>[]
  readonly connections: readonly LazyItem<LoggedConnection>[]
}

/** The number of requests and connections of earlier pages that are kept. */
const itemLimit = 500
/**
 * The maximum number of characters of the log in the tab's storage. A browser allows about 5 million for the whole app.
 */
const textLimit = 1_000_000
/**
 * The number of these characters that are reserved for requests without details, so that large bodies do not displace
 * requests.
 */
const lineReserve = 300_000
/**
 * The number of further characters that are reserved for details of requests, so that the messages of a connection do
 * not displace bodies.
 */
const bodyReserve = 400_000
/** The number of characters of a body that are kept. A multiple of 4, so that a cut Base64 text stays valid. */
const bodyLimit = 16_384
/**
 * The number of bytes of a body that are read: enough for the characters that are kept. Decoding megabytes would delay
 * the reload.
 */
const readLimit = 4 * bodyLimit
/** The number of messages of a connection that are kept: the last ones. */
const frameLimit = 50

const isKeptPages = isListOf(
  isObjectOf<KeptPage>({
    url: isText,
    leftAt: isNumber,
    requests: isListOf(isObjectOf({ item: isRequest, details: isOrNull(isDetails) })),
    connections: isListOf(isObjectOf({ item: isConnection, details: isOrNull(isDetails) })),
  }),
)

/** The logs of the pages that the tab showed earlier. */
export class EarlierLog {
  readonly #text: string
  readonly #isOwn: (id: string) => boolean
  #kept: readonly KeptPage[] | undefined
  #pages: readonly EarlierPage[] | undefined
  #clearedAt = 0

  /**
   * @param text what {@link leave} of an earlier page returned. It is parsed when a panel needs it
   * @param isOwn returns whether this page has an item of the id itself, after it came back from the browser's cache
   */
  constructor(text: string, isOwn: (id: string) => boolean = () => false) {
    this.#text = text
    this.#isOwn = isOwn
  }

  /** The page that the tab left last comes first. The same array until the log is cleared. */
  get pages(): readonly EarlierPage[] {
    return (this.#pages ??= this.#read().map(({ url, leftAt, requests, connections }) => ({
      url,
      leftAt,
      requests: requests.map(({ item }) => item),
      connections: connections.map(({ item }) => item),
    })))
  }

  /** Returns what was kept of a request or a connection; `undefined` if it is not of an earlier page. */
  details(id: string): RequestDetails | undefined {
    for (const { requests, connections } of this.#read()) {
      const found = [...requests, ...connections].find(({ item }) => item.id === id)
      if (found) return found.details ?? { headers: null, bodies: { request: null, response: null }, frames: [] }
    }
    return undefined
  }

  /** Deletes the logs of earlier pages. Requests that started until now are not kept for the next page. */
  clear(): void {
    this.#kept = []
    this.#pages = []
    this.#clearedAt = Date.now()
  }

  /**
   * Returns the text to store for the next page: this page and the earlier ones, the newest requests within the limits.
   * `''`: there is nothing to store.
   *
   * @param limit the maximum number of characters
   */
  leave(inspection: Inspection, url: string, leftAt: number = Date.now(), limit: number = textLimit): string {
    const { requests, connections } = inspection.snapshot()
    const isKept = ({ startedAt }: { readonly startedAt: number }): boolean => startedAt > this.#clearedAt
    const page: ItemsOfPage = {
      url,
      leftAt,
      requests: requests.filter(isKept).map((request) => ({
        item: toEarlierRequest(request),
        readDetails: () =>
          cutDetails({
            headers: inspection.headers(request.id),
            bodies: inspection.bodies(request.id, readLimit),
            frames: [],
          }),
      })),
      connections: connections.filter(isKept).map((connection) => ({
        item: toEarlierConnection(connection, leftAt),
        readDetails: () => ({
          headers: null,
          bodies: { request: null, response: null },
          frames: inspection.frames(connection.id).slice(-frameLimit),
        }),
      })),
    }
    const earlier = this.#read().map((kept): ItemsOfPage => ({
      ...kept,
      requests: kept.requests.map(toItem),
      connections: kept.connections.map(toItem),
    }))
    return format([page, ...earlier], limit)
  }

  #read(): readonly KeptPage[] {
    return (this.#kept ??= parse(this.#text).map((page) => ({
      ...page,
      requests: page.requests.filter(({ item }) => !this.#isOwn(item.id)),
      connections: page.connections.filter(({ item }) => !this.#isOwn(item.id)),
    })))
  }
}

/** The app can write to the same storage: a text of another shape counts as an empty log. */
function parse(text: string): readonly KeptPage[] {
  try {
    const pages: unknown = JSON.parse(text)
    return isKeptPages(pages) ? pages : []
  } catch {
    return []
  }
}

function toItem<Logged>({ item, details }: KeptItem<Logged>): LazyItem<Logged> {
  return { item, readDetails: () => details }
}

/** Returns the text of the pages, without the oldest items and without details where the limits need it. */
function format(pages: readonly ItemsOfPage[], limit: number): string {
  let count = itemLimit
  let characters = limit
  /** @param reserve the number of characters that details must leave free */
  function take<Logged>(items: readonly LazyItem<Logged>[], reserve: number): string[] {
    const taken: string[] = []
    // Stop at the first details that do not fit, because reading all bodies would delay the reload.
    let areDetailsRead = true
    for (const { item, readDetails } of items) {
      if (count === 0) break
      let text = areDetailsRead ? JSON.stringify({ item, details: readDetails() }) : ''
      if (text.length > characters - reserve) areDetailsRead = false
      if (!areDetailsRead) text = JSON.stringify({ item, details: null })
      if (text.length > characters) break
      characters -= text.length
      count -= 1
      taken.push(text)
    }
    return taken
  }
  const taken = pages.flatMap(({ url, leftAt, requests, connections }) => {
    // Take connections first: there are few of them, and many requests could leave no space for them.
    const connectionTexts = take(connections, lineReserve + bodyReserve)
    const requestTexts = take(requests, lineReserve)
    if (connectionTexts.length + requestTexts.length === 0) return []
    return `{"url":${JSON.stringify(url)},"leftAt":${leftAt},"requests":[${requestTexts.join()}],"connections":[${connectionTexts.join()}]}`
  })
  return taken.length === 0 ? '' : `[${taken.join()}]`
}

function toEarlierRequest(request: LoggedRequest): LoggedRequest {
  const { handler, noResponse, nearest } = request
  return {
    ...request,
    // End pending requests. Otherwise, the panel would show their time as still running.
    ...(request.outcome === 'pending' && {
      duration: Math.max(0, Date.now() - request.startedAt),
      outcome: 'network-error',
      error: 'The page was left while the request was pending.',
    }),
    handler: handler && withoutId(handler),
    noResponse: noResponse.map(withoutId),
    nearest: nearest.map(withoutId),
  }
}

/** Remove the id: the ids of the next page's handlers start from the beginning. */
function withoutId<Handler extends LoggedHandler>(handler: Handler): Handler {
  return { ...handler, id: -1 }
}

function toEarlierConnection(connection: LoggedConnection, leftAt: number): LoggedConnection {
  if (connection.state === 'closed') return connection
  return { ...connection, state: 'closed', closedAfter: Math.max(0, leftAt - connection.startedAt) }
}

function cutDetails({ headers, bodies, frames }: RequestDetails): RequestDetails {
  return { headers, frames, bodies: { request: cutBody(bodies.request), response: cutBody(bodies.response) } }
}

function cutBody(body: InspectedBody | null): InspectedBody | null {
  if (!body || (body.text ?? body.base64 ?? '').length <= bodyLimit) return body
  return {
    ...body,
    isComplete: false,
    text: body.text?.slice(0, bodyLimit) ?? null,
    base64: body.base64?.slice(0, bodyLimit) ?? null,
  }
}
