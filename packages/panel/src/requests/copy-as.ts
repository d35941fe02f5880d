import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

/** Headers that the client sets for itself. A copied command that repeats them fails or lies. */
const clientHeaders = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'transfer-encoding'])

/** A request as a command for a POSIX shell. */
export function toCurl(request: LoggedRequest, details: RequestDetails | null): string {
  const body = details?.bodies.request?.text
  const parts = [`curl ${quote(request.url)}`]
  if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  for (const [name, value] of headersOf(details)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body) parts.push(`--data-raw ${quote(body)}`)
  return parts.join(' \\\n  ')
}

/** A request as a call of `fetch`. */
export function toFetch(request: LoggedRequest, details: RequestDetails | null): string {
  const headers = Object.fromEntries(headersOf(details))
  const body = details?.bodies.request?.text
  const init = {
    ...(request.method !== 'GET' && { method: request.method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body }),
  }
  const argument = Object.keys(init).length > 0 ? `, ${JSON.stringify(init, null, 2)}` : ''
  return `await fetch(${JSON.stringify(request.url)}${argument})`
}

/** The response of a request as a handler that answers with it. */
export function toHandler(request: LoggedRequest, details: RequestDetails | null, pageUrl: string | null): string {
  const { method, url, status, name } = request
  const body = details?.bodies.response
  const init = status !== null && status !== 200 ? `, { status: ${status} }` : ''
  const answer = toAnswer(body?.text ?? null, body?.type ?? '', init)
  const [type, operation] = name?.split(' ') ?? []
  if (operation !== undefined && (type === 'query' || type === 'mutation')) {
    return `graphql.${type}('${operation}', () => ${answer}),`
  }
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
  return `http.${known ? method.toLowerCase() : 'all'}('${pathOf(url, pageUrl)}', () => ${answer}),`
}

function toAnswer(text: string | null, type: string, init: string): string {
  if (text === null || text === '') return `new HttpResponse(null${init})`
  if (/[/+]json\b/.test(type)) {
    try {
      return `HttpResponse.json(${JSON.stringify(JSON.parse(text), null, 2)}${init})`
    } catch {
      // What was kept of it is not the whole body.
    }
  }
  const kind = /^text\/html\b/.test(type) ? 'html' : /[/+]xml\b/.test(type) ? 'xml' : 'text'
  return `HttpResponse.${kind}(${JSON.stringify(text)}${init})`
}

function headersOf(details: RequestDetails | null): readonly (readonly [string, string])[] {
  return details?.headers?.request.filter(([name]) => !clientHeaders.has(name.toLowerCase())) ?? []
}

function pathOf(url: string, pageUrl: string | null): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  const isOwn = pageUrl !== null && URL.canParse(pageUrl) && new URL(pageUrl).origin === origin
  return (isOwn ? pathname : origin + pathname).replaceAll("'", '%27')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
