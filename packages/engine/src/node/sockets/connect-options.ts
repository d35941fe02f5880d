import type net from 'node:net'
import type tls from 'node:tls'

/** The options of `connect`, for a plain connection or one with TLS. */
export type ConnectOptions = tls.ConnectionOptions & Partial<net.IpcNetConnectOpts> & { protocol?: unknown }

/** An option of a connection that exempts it from interception. */
export const unwatchedOption = 'understudyUnwatched'

/** Returns whether a connection is exempt from interception. */
export function isUnwatched(options: ConnectOptions): boolean {
  return unwatchedOption in options
}

/**
 * Selects the protocol, as a server that supports HTTP/1.1 and HTTP/2. Prefers HTTP/1.1, because handlers do not answer
 * HTTP/2. Returns `false` if the client offers neither.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7301
 */
export function selectProtocol(options: ConnectOptions): 'http/1.1' | 'h2' | false {
  const protocols = readProtocols(options.ALPNProtocols)
  return (['http/1.1', 'h2'] as const).find((name) => protocols.includes(name)) ?? false
}

/** Reads a list of names, or the bytes that TLS sends: each name follows a byte with its length. */
function readProtocols(protocols: unknown): string[] {
  if (Array.isArray(protocols)) return protocols.map(String)
  if (!ArrayBuffer.isView(protocols)) return []
  const text = Buffer.from(protocols.buffer, protocols.byteOffset, protocols.byteLength).toString('latin1')
  const names: string[] = []
  for (let index = 0; index < text.length; index += 1 + text.charCodeAt(index)) {
    names.push(text.slice(index + 1, index + 1 + text.charCodeAt(index)))
  }
  return names
}

export interface ConnectCall {
  readonly options: ConnectOptions
  readonly listener: (() => void) | undefined
}

/**
 * Reads the arguments of `socket.connect` in all their forms. Returns `undefined` for arguments that Node rejects.
 *
 * @see https://nodejs.org/api/net.html#socketconnect
 */
export function readConnectArguments(args: readonly unknown[]): ConnectCall | undefined {
  // `net.connect` passes its parsed arguments as an array.
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

/** Returns the scheme, host and port of a connection's server. */
export function originOf({ host, port, protocol }: ConnectOptions, isSecure: boolean): string {
  const scheme = isSecure || protocol === 'https:' || Number(port) === 443 ? 'https:' : 'http:'
  const name = host ?? 'localhost'
  // A URL has no place for the zone of an IPv6 address, such as `%eth0`.
  const authority = name.includes(':') ? `[${name.replace(/%.*/, '')}]` : name
  return `${scheme}//${authority}${port == null ? '' : `:${port}`}`
}
