import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, get as getSecurely } from 'node:https'

/** Public properties by name, with a text for each value. */
type Properties = Record<string, string>

/** Returns whether a name is internal to Node: `_handle`. */
const isInternal = (name: string): boolean => name.startsWith('_') || name === 'constructor'

/** Replaces ports and lengths by their types, because they differ for each connection. */
function show(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return value.constructor?.name ?? 'object'
  if (typeof value === 'function' || typeof value === 'number') return `a ${typeof value}`
  return JSON.stringify(value) ?? 'undefined'
}

/** Returns own properties and those of all prototypes. */
function propertiesOf(object: object): Properties {
  const properties: Properties = {}
  for (let owner: object | null = object; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (!isInternal(name)) properties[name] ??= show(Reflect.get(object, name))
    }
  }
  return properties
}

/**
 * Returns the properties of a request, its response and its socket, after the response and after the end of the
 * connection.
 */
export async function readProperties(url: string): Promise<Record<string, Properties>> {
  const isSecure = url.startsWith('https:')
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, rejectUnauthorized: false })
    : new Agent({ keepAlive: true })
  const request = (isSecure ? getSecurely : get)(url, { agent, family: 4 })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  const { socket } = message
  const read = (): Record<string, Properties> => ({
    ClientRequest: propertiesOf(request),
    IncomingMessage: propertiesOf(message),
    [isSecure ? 'TLSSocket' : 'Socket']: propertiesOf(socket),
  })
  const ends = [once(message, 'close'), once(socket, 'free')]
  message.resume()
  await Promise.all(ends)
  const free = read()
  const isClosed = once(socket, 'close')
  agent.destroy()
  await isClosed
  const closed = Object.entries(read()).map(([name, properties]) => [`closed ${name}`, properties] as const)
  return { ...free, ...Object.fromEntries(closed) }
}

/** Returns the rows of a table with the properties that differ between two connections. */
export function compareProperties(
  found: Record<string, Properties>,
  expected: Record<string, Properties>,
): [name: string, found: string, expected: string][] {
  return Object.entries(expected).flatMap(([owner, properties]) =>
    [...new Set([...Object.keys(properties), ...Object.keys(found[owner] ?? {})])]
      .map((name): [string, string, string] => [
        `${owner}: ${name}`,
        found[owner]?.[name] ?? 'absent',
        properties[name] ?? 'absent',
      ])
      .filter(([, a, b]) => a !== b),
  )
}
