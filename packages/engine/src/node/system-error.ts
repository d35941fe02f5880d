import { isIP } from 'node:net'
import { getSystemErrorMap } from 'node:util'

/** The system calls of error codes. */
const syscalls: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'getaddrinfo',
  ECONNABORTED: 'read',
  ECONNREFUSED: 'connect',
  ECONNRESET: 'read',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  ENOTFOUND: 'getaddrinfo',
  EPIPE: 'write',
  ETIMEDOUT: 'connect',
}

/** Codes that have another name in Node's map of system errors. */
const names: Readonly<Record<string, string>> = { ENOTFOUND: 'EAI_NONAME' }

/**
 * Adds the members of Node's own errors to an error with a code: `errno` and `syscall`; the `hostname` if a name could
 * not be resolved; the `address` and the `port` if a connection failed. A host name gets the address `127.0.0.1`, as on
 * the sockets of mocked requests.
 *
 * @see https://nodejs.org/api/errors.html#class-systemerror
 */
export function asSystemError(error: unknown, url: URL): unknown {
  const code: unknown = (error as { code?: unknown } | undefined)?.code
  if (!(error instanceof Error) || typeof code !== 'string' || 'errno' in error || !Object.hasOwn(syscalls, code)) {
    return error
  }
  const syscall = syscalls[code]
  const errno = findErrno(names[code] ?? code)
  return Object.assign(error, { errno, syscall }, placeOf(url)[syscall ?? ''])
}

/** Returns the number of a system error. Cloudflare's `workerd` has no numbers: there, Node's function throws. */
function findErrno(name: string): number | undefined {
  try {
    return [...getSystemErrorMap()].find(([, [known]]) => known === name)?.[0]
  } catch {
    return undefined
  }
}

/** Returns the properties of an error that describe the address, by system call. */
function placeOf({ hostname, port, protocol }: URL): Record<string, object> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const address = isIP(host) ? host : '127.0.0.1'
  return {
    getaddrinfo: { hostname },
    connect: { address, port: Number(port) || (protocol === 'https:' ? 443 : 80) },
  }
}

/** Returns whether a handler chose to close the connection without a response. */
export function isEmptyResponse(error: unknown): boolean {
  return (error as { fault?: unknown } | undefined)?.fault === 'empty-response'
}
