import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import { toBytesExpression } from './bytes-expression.ts'

/** Headers that the client sets itself. A copied command that repeats them could fail or send wrong values. */
const clientHeaders = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'transfer-encoding'])

/** Returns a request as a command for a POSIX shell. */
export function toCurl(request: LoggedRequest, details: RequestDetails | null): string {
  const body = details?.bodies.request?.text
  // Without `-g`, curl expands brackets in a URL, such as `?filter[name]=a`.
  const parts = [`curl ${/[[\]{}]/.test(request.url) ? '-g ' : ''}${quote(request.url)}`]
  // A method may contain characters with a meaning in shells, such as "|".
  const method = /^\w+$/.test(request.method) ? request.method : quote(request.method)
  // With `-X HEAD`, curl would wait for a body.
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET') parts.push(`-X ${method}`)
  // Without the semicolon, curl would leave out an empty header.
  for (const [name, value] of headersOf(details)) parts.push(`-H ${quote(name + (value ? `: ${value}` : ';'))}`)
  if (body) parts.push(`--data-raw ${quote(body)}`)
  return parts.join(' \\\n  ')
}

/** Returns a request as a call of `fetch`. */
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

/** The function that creates a handler, and its first argument. */
export interface HandlerTarget {
  readonly api: 'graphql' | 'http'
  /** `get`, `query`. */
  readonly member: string
  /** A path, a URL, or the name of an operation. */
  readonly target: string
}

/** Returns which handler would answer a request. */
export function toHandlerTarget(
  { method, url, name }: Pick<LoggedRequest, 'method' | 'url' | 'name'>,
  pageUrl: string | null,
): HandlerTarget {
  const [type, operation] = name?.split(' ') ?? []
  if (operation !== undefined && (type === 'query' || type === 'mutation')) {
    return { api: 'graphql', member: type, target: operation }
  }
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
  return { api: 'http', member: known ? method.toLowerCase() : 'all', target: pathOf(url, pageUrl) }
}

/** Returns the function of `HttpResponse` for a media type. */
export function toBodyKind(type: string): 'html' | 'json' | 'text' | 'xml' {
  if (/[/+]json\b/.test(type)) return 'json'
  return /^text\/html\b/.test(type) ? 'html' : /[/+]xml\b/.test(type) ? 'xml' : 'text'
}

/** Returns the code of a handler that answers with the response of a request. */
export function toHandler(request: LoggedRequest, details: RequestDetails | null, pageUrl: string | null): string {
  const { status } = request
  const body = details?.bodies.response
  const bytes = body?.isComplete ? body.base64 : null
  const answer = bytes
    ? `HttpResponse.arrayBuffer(${toBytesExpression(`'${bytes}'`)}${toInit(status, body?.type)})`
    : toAnswer(body?.text ?? null, body?.type ?? '', status)
  const { api, member, target } = toHandlerTarget(request, pageUrl)
  return `${api}.${member}('${target.replaceAll(/['\\]/g, String.raw`\$&`)}', () => ${answer}),`
}

function toInit(status: number | null, type = ''): string {
  const parts = [
    ...(status !== null && status !== 200 ? [`status: ${status}`] : []),
    ...(type === '' ? [] : [`headers: { 'Content-Type': ${JSON.stringify(type)} }`]),
  ]
  return parts.length > 0 ? `, { ${parts.join(', ')} }` : ''
}

function toAnswer(text: string | null, type: string, status: number | null): string {
  if (!text) return `new HttpResponse(null${toInit(status)})`
  const kind = toBodyKind(type)
  if (kind !== 'json') return `HttpResponse.${kind}(${JSON.stringify(text)}${toInit(status)})`
  try {
    // In a literal, a plain key `__proto__` would set the prototype.
    const literal = JSON.stringify(JSON.parse(text), null, 2).replaceAll(/^( *)("__proto__"):/gm, '$1[$2]:')
    // A literal with an integer beyond 2^53 would have another value. Text with such digits loses nothing, either.
    if (!/(?<![\w.+"-])-?\d{16,}(?![\d.e])/i.test(text)) return `HttpResponse.json(${literal}${toInit(status)})`
  } catch {
    // The kept part is not the whole body.
  }
  return `HttpResponse.text(${JSON.stringify(text)}${toInit(status, type)})`
}

function headersOf(details: RequestDetails | null): readonly (readonly [string, string])[] {
  return details?.headers?.request.filter(([name]) => !clientHeaders.has(name.toLowerCase())) ?? []
}

function pathOf(url: string, pageUrl: string | null): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  const isOwn = pageUrl !== null && URL.canParse(pageUrl) && new URL(pageUrl).origin === origin
  // These characters have a special meaning in a handler's path.
  const path = pathname.replaceAll(/[:*()]/g, String.raw`\$&`)
  // At the start of a path, `//` would begin a host.
  return isOwn && !path.startsWith('//') ? path : origin + path
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
