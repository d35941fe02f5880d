import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

/**
 * Returns the GraphQL operation of a request, as in the log: `query GetUser`. While all requests are recorded, no handler
 * reads them, and an archive contains no operations.
 *
 * @returns `null` if the request has no operation with a name
 */
export function readOperation(
  { method, url }: Pick<LoggedRequest, 'method' | 'url'>,
  { bodies }: Pick<RequestDetails, 'bodies'>,
): string | null {
  const { query, operationName } = method === 'GET' ? readQuery(url) : readBody(bodies.request?.text ?? '')
  if (typeof query !== 'string') return null
  // Names in comments and texts are not operations. A text that does not end ends with its line: otherwise, each quotation mark
  // would be searched for its end again.
  const document = query.replaceAll(/"""[^]*?"""|"(?:[^"\\\n]|\\.)*"?|#[^\n]*/g, ' ')
  const operations = [...document.matchAll(/(?<![\w$@:{(,]\s*)\b(query|mutation)\s+(\w+)\s*[({@]/g)]
  const [, type, name] =
    (typeof operationName === 'string' && operationName !== ''
      ? operations.find((operation) => operation[2] === operationName)
      : operations[0]) ?? []
  return type && name ? `${type} ${name}` : null
}

interface Operation {
  readonly query?: unknown
  readonly operationName?: unknown
}

function readQuery(url: string): Operation {
  if (!URL.canParse(url)) return {}
  return Object.fromEntries(new URL(url).searchParams)
}

function readBody(text: string): Operation {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
