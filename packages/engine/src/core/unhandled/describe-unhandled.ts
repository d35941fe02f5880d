import { formatCallSite } from '../call-site.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { NearHandler } from './nearest-handlers.ts'

/**
 * Describes an unhandled request in a few lines: the nearest handlers with what differs, and the code of a handler that
 * would match.
 *
 * @param nearest the nearest first; see `findNearestHandlers`
 */
export function describeUnhandled(incoming: IncomingRequest, nearest: readonly NearHandler[]): string {
  const { method, url, readAs } = incoming
  const shown = `${method} ${shorten(incoming)}${truncate(url.search)}`
  const lines = [`No handler matches ${readAs ? `${readAs.name} (${shown})` : shown}`]
  for (const { entry, difference } of nearest) {
    const { header, callSite } = entry.handler.info
    lines.push(`  near: ${header}: ${difference}`)
    if (callSite) lines.push(`        at ${formatCallSite(callSite)}`)
  }
  lines.push('  If it should be mocked, add this handler:', `  ${suggestHandler(incoming)}`)
  return lines.join('\n')
}

/** Returns the code of a handler that would match a request. */
export function suggestHandler(incoming: IncomingRequest): string {
  const { method, request, readAs } = incoming
  if (readAs) return readAs.suggestion
  // Escapes characters of the path syntax and of JavaScript strings.
  const path = shorten(incoming)
    .replace(/[(){}*]|:(?=[A-Za-z_$])/g, '\\\\$&')
    .replaceAll("'", "\\'")
  const text = `'${generalize(path)}'`
  const accept = request.headers.get('accept') ?? ''
  if (/event-stream/.test(accept)) {
    return `sse(${text}, ({ client }) => client.send({ data: '' })),`
  }
  // Turbo prefers HTML. Its forms accept `text/vnd.turbo-stream.html` first.
  const body = /^text.*html/.test(accept) ? "html('')" : 'json({})'
  const response = method === 'HEAD' ? 'new HttpResponse()' : 'HttpResponse.' + body
  return `http.${toFactory(method)}(${text}, () => ${response}),`
}

/**
 * Returns the URL without its query, and without the origin if it is that of relative paths. At the start of a path, `//`
 * would begin a host.
 */
function shorten({ url, baseUrl }: IncomingRequest): string {
  const isRelative = baseUrl !== undefined && new URL(baseUrl).origin === url.origin && !url.pathname.startsWith('//')
  return (isRelative ? '' : url.origin) + url.pathname
}

function truncate(search: string): string {
  return search.length > 80 ? `${search.slice(0, 80)}…` : search
}

/** Replaces a segment that looks like an id with a parameter. */
function generalize(path: string): string {
  let count = 0
  return path.replace(/(?<=\/)(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{24})(?=\/|$)/gi, () => {
    count += 1
    return count === 1 ? ':id' : `:id${count}`
  })
}

function toFactory(method: string): string {
  const name = method.toLowerCase()
  return ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'].includes(name) ? name : 'all'
}
