import type { Decision } from '@understudy/engine/internal/page'

/** A request that a story sent, as plain data. */
export interface RecordedRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly pathname: string
  /** The query, the last of each name. */
  readonly query: Readonly<Record<string, string>>
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, parsed; text; the fields of a form; `null` if there is no body. */
  readonly body: unknown
  /** How its protocol names it: `query GetUser`. */
  readonly name: string | null
  readonly outcome: Decision['outcome']['type']
  /** The status of a mocked response. */
  readonly status: number | null
  /** The handler that decided: `GET /user/:id`. */
  readonly handler: string | null
}

/**
 * Which requests are meant: by name (`'POST /login'`, `'/login'`, `'query GetUser'`), where paths may hold `*` and
 * `:name`; or by what they are.
 */
export type RequestFilter = string | Partial<Pick<RecordedRequest, 'method' | 'pathname' | 'name' | 'outcome'>>

/** A request that was decided; its body is still to be read. */
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

/** Whether a request is meant by a filter. */
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
