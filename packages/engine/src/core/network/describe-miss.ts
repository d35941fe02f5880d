import { formatCallSite } from '../call-site.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { NearHandler } from './nearest-handlers.ts'

/**
 * Says in a few lines that no handler matched, which ones nearly did and why not, and how one that does would read.
 *
 * @param nearest the nearest first; see `findNearestHandlers`
 */
export function describeMiss(incoming: IncomingRequest, nearest: readonly NearHandler[]): string {
  const { method, url, readAs } = incoming
  const shown = `${method} ${shorten(url)}${url.search}`
  const lines = [`No handler matches ${readAs ? `${readAs.name} (${shown})` : shown}`]
  for (const { entry, difference } of nearest) {
    const { header, callSite } = entry.handler.info
    lines.push(`  near: ${header}${callSite ? ` (${formatCallSite(callSite)})` : ''}: ${difference}`)
  }
  lines.push('  If it should be mocked, add this handler:', `  ${suggestHandler(incoming)}`)
  return lines.join('\n')
}

/** The text of a handler that would match a request, ready to paste. */
function suggestHandler({ method, url, readAs }: IncomingRequest): string {
  if (readAs) return readAs.suggestion
  // Text that the path syntax would read, as a path and as a string of JavaScript.
  const path = shorten(url)
    .replace(/[(){}*]|:(?=[A-Za-z_$])/g, '\\\\$&')
    .replaceAll("'", "\\'")
  return `http.${toFactory(method)}('${generalize(path)}', () => HttpResponse.json({})),`
}

/** The URL without its query, and on the page's own origin without that too. */
function shorten(url: URL): string {
  const page = (globalThis as { location?: { origin?: string } }).location?.origin
  return (url.origin === page ? '' : url.origin) + url.pathname
}

/** Segments that look like ids become a parameter. */
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
