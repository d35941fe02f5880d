import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import { BrokenRequest } from './broken-request.ts'
import { readMultipartBody } from './multipart-body.ts'
import type { OperationParameters } from './operation.ts'

/** Returns the operation of a request, several operations, or `null` if it is not a GraphQL request. */
export type Parameters = OperationParameters | readonly OperationParameters[] | null

/**
 * Converts the parameters of a request. It is called with a function that reads them, and that throws a
 * {@link BrokenRequest} if a GraphQL request cannot be read.
 */
export type ParametersReader<Result> = (read: () => Parameters) => Result

/**
 * Reads the parameters of a request: of a GET from its URL, of a POST from its body.
 *
 * @param convert is called once, when the body is there. It is not chained to the result, because each promise costs time
 *   for every request
 * @returns what `convert` returns
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request
 */
export function readParameters<Result>(
  incoming: IncomingRequest,
  convert: ParametersReader<Result>,
): Result | Promise<Result> {
  const { method, url } = incoming
  if (method === 'GET') return convert(() => (url.search === '' ? null : fromSearch(url.searchParams)))
  if (method !== 'POST') return convert(() => null)
  const { request } = incoming
  if (request.body === null) return convert(() => null)
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  return mayCarryGraphQL(type) ? readBody(incoming, type, convert) : convert(() => null)
}

/** Do not read bodies that cannot be GraphQL, such as images. */
function mayCarryGraphQL(type: string): boolean {
  return type === '' || /json|graphql|multipart\/form-data|x-www-form-urlencoded|^text\/plain/.test(type)
}

function readBody<Result>(
  incoming: IncomingRequest,
  type: string,
  convert: ParametersReader<Result>,
): Result | Promise<Result> {
  if (type.startsWith('multipart/form-data')) return readForm(incoming, convert)
  const text = incoming.text()
  if (typeof text === 'string') return convert(() => readText(incoming, type, text))
  // A request of another realm (`node:vm`) returns a promise of that realm.
  return Promise.resolve(text).then(
    (read) => convert(() => readText(incoming, type, read)),
    // The server reports the error.
    () => convert(() => null),
  )
}

async function readForm<Result>(incoming: IncomingRequest, convert: ParametersReader<Result>): Promise<Result> {
  const form = await incoming
    .copy()
    .formData()
    .catch(() => undefined)
  return convert(() => (form?.has('operations') ? toParameters(readMultipartBody(form), true) : null))
}

function readText(incoming: IncomingRequest, type: string, text: string): Parameters {
  if (type.startsWith('application/graphql') && !type.includes('json')) {
    // The body is the document. The other parameters are in the URL.
    return fromSearch(incoming.url.searchParams, text || undefined)
  }
  if (type.includes('x-www-form-urlencoded')) return fromSearch(new URLSearchParams(text))
  return toParameters(parseObject(text), false)
}

function parseObject(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A request with broken JSON may not be GraphQL. Its handler or server reports the error.
    return undefined
  }
}

function fromSearch(search: URLSearchParams, document?: string): OperationParameters | null {
  const fields = Object.fromEntries(
    ['operationName', 'variables', 'extensions', ...hashNames].flatMap((name) => {
      const value = search.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
  const query = document ?? search.get('query') ?? undefined
  return toOperation(query === undefined ? fields : { ...fields, query }, document !== undefined)
}

/** @param isCertain whether more than the names of its fields shows that the request is a GraphQL request */
function toParameters(body: unknown, isCertain: boolean): Parameters {
  if (!Array.isArray(body)) return toOperation(body, isCertain)
  const operations: OperationParameters[] = []
  for (const item of body as unknown[]) {
    const operation = toOperation(item, isCertain)
    if (operation === null) return null
    operations.push(operation)
  }
  return operations.length === 0 ? null : operations
}

/** The names of the parameter with the id of a document that the server has. */
const hashNames = ['documentId', 'doc_id'] as const

/** The URL of a GET request with an operation has at least one of these parameters. */
export const documentParameters: readonly string[] = ['query', 'extensions', ...hashNames]

function toOperation(body: unknown, isCertain: boolean): OperationParameters | null {
  if (typeof body !== 'object' || body === null) return null
  const fields = body as Readonly<Record<string, unknown>>
  const { query, operationName } = fields
  const hashes = readHashes(fields)
  const text = typeof query === 'string' && query !== '' ? query : undefined
  if (text === undefined && hashes.length === 0) return null
  // A REST endpoint may have a parameter `query` too, for example for a search.
  if (text !== undefined && !isCertain && !text.includes('{')) {
    throw new BrokenRequest(`its "query" is not a document`, false)
  }
  return {
    query: text,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: readRecord(fields, 'variables'),
    extensions: readRecord(fields, 'extensions'),
    hashes,
    fields,
  }
}

function readHashes(fields: Readonly<Record<string, unknown>>): string[] {
  const hashes: string[] = []
  const add = (hash: unknown): void => void (typeof hash === 'string' && hash !== '' && hashes.push(hash))
  if (fields['extensions'] !== undefined) {
    const { persistedQuery } = (tryRecord(fields, 'extensions') ?? {}) as { persistedQuery?: { sha256Hash?: unknown } }
    add(persistedQuery?.sha256Hash)
  }
  for (const name of hashNames) add(fields[name])
  return hashes
}

function tryRecord(fields: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> | undefined {
  try {
    return readRecord(fields, name)
  } catch {
    return undefined
  }
}

/**
 * Returns an object that is given as such, or as JSON text in a URL.
 *
 * @throws {BrokenRequest} for anything else
 */
function readRecord(fields: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  let value = fields[name]
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value)
    } catch {
      throw new BrokenRequest(`its "${name}" are not JSON`)
    }
  }
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new BrokenRequest(`its "${name}" are not an object`)
  return value as Record<string, unknown>
}
