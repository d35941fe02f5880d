import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { matchPath } from '../core/routing/match-path.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { createPatternReader, type MatchedParams, type Path } from '../core/routing/path-pattern.ts'

/**
 * Returns the URL of a constructor call; `undefined` if the platform rejects it.
 *
 * @see https://websockets.spec.whatwg.org/#dom-websocket-websocket
 */
export function resolveWebSocketUrl(url: unknown): URL | undefined {
  const page = (globalThis as { document?: { baseURI?: string } }).document?.baseURI ?? pageUrl()
  try {
    const resolved = new URL(String(url), page)
    resolved.protocol = toWebSocketScheme(resolved.protocol)
    return /^wss?:$/.test(resolved.protocol) && !resolved.href.includes('#') ? resolved : undefined
  } catch {
    return undefined
  }
}

/** Returns the subprotocols of a constructor call; `undefined` if the platform rejects them. */
export function readProtocols(value: unknown): string[] | undefined {
  const given = protocolsOf(value)
  const names = given === undefined ? [] : Array.isArray(given) ? given.map(String) : [String(given)]
  const areTokens = names.every((name) => /^[!#$%&'*+\-.^`|~\w]+$/.test(name))
  return areTokens && new Set(names).size === names.length ? names : undefined
}

/** Returns the protocols in the form in which they were passed. Node also accepts them in an object. */
export function protocolsOf(value: unknown): string | string[] | undefined {
  const isOptions = typeof value === 'object' && value !== null && !(Symbol.iterator in value)
  const given = isOptions ? (value as { protocols?: unknown }).protocols : value
  if (given === undefined) return undefined
  const isList = typeof given === 'object' && given !== null && Symbol.iterator in given
  return isList ? Array.from(given as Iterable<unknown>, String) : `${given as string}`
}

/** Matches the URL of a connection: the parameters, or `null`. */
export type WebSocketUrlMatcher = (url: URL, baseUrl: string | undefined) => MatchedParams | null

/**
 * Parses the URL of a link. `http` means `ws`, and `https` means `wss`.
 *
 * @param operation the operation, as the continuation of "Failed to"
 * @throws {UnderstudyError} if the value is not a valid WebSocket URL, path or RegExp
 */
export function parseWebSocketUrl(operation: string, url: Path): WebSocketUrlMatcher {
  checkUrl(operation, url)
  const path = typeof url === 'string' ? toWebSocketScheme(url) : url
  const patternFor = createPatternReader(path, undefined)
  return (connectedUrl, baseUrl) => {
    const pattern = patternFor(baseUrl && toWebSocketScheme(baseUrl))
    const params = matchPath(pattern, connectedUrl)
    if (params || !connectedUrl.pathname.startsWith('/socket.io/')) return params
    // Socket.IO connects to this path, whatever URL it gets.
    const shortened = new URL(connectedUrl)
    shortened.pathname = shortened.pathname.slice('/socket.io'.length)
    return matchPath(pattern, shortened)
  }
}

function checkUrl(operation: string, url: unknown): void {
  const action = 'Pass a URL ("wss://example.com/chat"), a path ("/chat/:room") or a RegExp.'
  if (typeof url !== 'string' && !(url instanceof RegExp)) {
    throw failure('US0610', operation, `its URL is ${describe(url)}`, action)
  }
  if (url === '') throw failure('US0611', operation, 'its URL is empty', action)
  const scheme = typeof url === 'string' ? /^([a-z][a-z\d+.-]*):\/\//i.exec(url)?.[1] : undefined
  if (scheme !== undefined && !/^(?:ws|http)s?$/i.test(scheme)) {
    throw failure('US0612', operation, `"${scheme}:" is not a WebSocket scheme`, 'Use ws: or wss:.')
  }
}

function toWebSocketScheme(url: string): string {
  return url.replace(/^http(?=s?:)/i, 'ws')
}
