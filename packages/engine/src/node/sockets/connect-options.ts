import type net from 'node:net'
import type tls from 'node:tls'

/** What `connect` was called with, for a plain connection or one with TLS. */
export type ConnectOptions = tls.ConnectionOptions & Partial<net.IpcNetConnectOpts> & { protocol?: unknown }

/** An option of a connection that is to be left alone. */
export const unwatchedOption = 'understudyUnwatched'

/** Whether a connection is one that nobody has to see. */
export function isUnwatched({ ALPNProtocols: protocols, ...options }: ConnectOptions): boolean {
  // A connection that speaks nothing but HTTP/2 carries no request that could be mocked.
  const isHttp2 = Array.isArray(protocols) && protocols.length === 1 && protocols[0] === 'h2'
  return isHttp2 || unwatchedOption in options
}

export interface ConnectCall {
  readonly options: ConnectOptions
  readonly listener: (() => void) | undefined
}

/**
 * Reads the arguments of `socket.connect` in all the forms that they take. Nothing for arguments that Node refuses.
 *
 * @see https://nodejs.org/api/net.html#socketconnect
 */
export function readConnectArguments(args: readonly unknown[]): ConnectCall | undefined {
  // `net.connect` hands on a list of what it has read.
  const list = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  const [first, second] = list
  const last = list.at(-1)
  const listener = typeof last === 'function' ? (last as () => void) : undefined
  if (typeof first === 'object' && first !== null) {
    const options = first as ConnectOptions
    return options.port == null && options.path == null ? undefined : { options, listener }
  }
  if (typeof first === 'string' && !isPort(first)) return { options: { path: first }, listener }
  if (!isPort(first)) return undefined
  const host = typeof second === 'string' ? { host: second } : {}
  return { options: { port: Number(first), ...host }, listener }
}

function isPort(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  const port = Number(value)
  return value !== '' && Number.isInteger(port) && port >= 0 && port < 65_536
}

/** The scheme, host and port of what a connection leads to. */
export function originOf({ host, port, protocol }: ConnectOptions, isSecure: boolean): string {
  const scheme = isSecure || protocol === 'https:' || Number(port) === 443 ? 'https:' : 'http:'
  const name = host ?? 'localhost'
  const authority = name.includes(':') ? `[${name}]` : name
  return `${scheme}//${authority}${port == null ? '' : `:${port}`}`
}
