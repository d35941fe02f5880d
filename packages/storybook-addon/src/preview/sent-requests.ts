import type { Decision } from '@understudy/engine/internal/page'

/** A request that a story sent, as plain data. */
export interface RecordedRequest {
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  readonly pathname: string
  /** The query. If a name occurs several times, the last value. */
  readonly query: Readonly<Record<string, string>>
  /** The headers by lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, text, or the fields of a form; `null` if there is no body. */
  readonly body: unknown
  /** The protocol's name for it: `query GetUser`. */
  readonly name: string | null
  readonly outcome: Decision['outcome']['type']
  /** The status of a mocked response. */
  readonly status: number | null
  /** The handler that decided: `GET /user/:id`. */
  readonly handler: string | null
}

/**
 * Selects requests by name (`'POST /login'`, `'/login'`, `'query GetUser'`), with `*` and `:name` in paths, or by
 * properties.
 */
export type RequestFilter = string | Partial<Pick<RecordedRequest, 'method' | 'pathname' | 'name' | 'outcome'>>

/** A decided request, whose body may not be read yet. */
export interface SentRequest {
  readonly request: Request
  readonly record: Omit<RecordedRequest, 'body'>
}

export function toSentRequest({ request, name, outcome, entry }: Decision): SentRequest {
  const url = new URL(request.url)
  return {
    request: request.bodyUsed ? request : request.clone(),
    record: {
      method: request.method,
      url: url.href,
      pathname: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(request.headers),
      name: name ?? null,
      outcome: outcome.type,
      status: outcome.type === 'mocked' ? outcome.response.status : null,
      handler: entry?.handler.info.header ?? null,
    },
  }
}

export async function toRecordedRequest({ request, record }: SentRequest): Promise<RecordedRequest> {
  return { ...record, body: await readBody(request) }
}

async function readBody(request: Request): Promise<unknown> {
  if (request.body === null || request.bodyUsed) return null
  const type = request.headers.get('content-type') ?? ''
  const copy = request.clone()
  try {
    if (/^multipart\/form-data|^application\/x-www-form-urlencoded/i.test(type)) {
      return Object.fromEntries(await copy.formData())
    }
    const text = await copy.text()
    return /[/+]json\b/i.test(type) ? (JSON.parse(text) as unknown) : text
  } catch {
    return null
  }
}

/** Returns whether a filter selects a request. */
export function isMeant({ record }: SentRequest, filter: RequestFilter | undefined): boolean {
  if (filter === undefined) return true
  if (typeof filter !== 'string') {
    return Object.entries(filter).every(([key, value]) => record[key as keyof typeof record] === value)
  }
  if (filter === record.name || filter === record.name?.split(' ')[1]) return true
  const [, method, path = ''] = /^(?:([A-Za-z]+) )?(.*)$/.exec(filter) ?? []
  if (method && method.toUpperCase() !== record.method) return false
  const pattern = path
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll(/:\w+/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path.includes('://') ? (record.url.split(/[?#]/)[0] ?? '') : record.pathname)
}
