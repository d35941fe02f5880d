import { channel, type Channel } from 'node:diagnostics_channel'

/** What Node publishes about clients and servers. Each message has the request or the socket that it is about. */
interface Message {
  readonly request?: { readonly agent?: object; readonly socket?: object | null }
  readonly socket?: object
}

const clientSockets = channel('net.client.socket')
const channels: readonly Channel[] = [
  clientSockets,
  channel('http.client.request.created'),
  channel('http.client.request.start'),
  channel('http.client.request.error'),
  channel('http.client.response.finish'),
  channel('http.server.request.start'),
  channel('http.server.response.created'),
  channel('http.server.response.finish'),
]

/** Sockets, ends of connections that this process serves, and agents of requests. */
const hidden = new WeakSet<object>()

/**
 * Hides a socket, or the requests of an agent, from tools that trace requests. They see the request of the client. The
 * request that carries it to the network would be a second one, and the app has no server that receives it.
 */
export function hideFromDiagnostics(socketOrAgent: object): void {
  hidden.add(socketOrAgent)
}

/** Publishes that a client opens a connection. Node does so only if a socket connects to the network. */
export function announceSocket(socket: object): void {
  if (clientSockets.hasSubscribers) clientSockets.publish({ socket })
}

/** @returns a function that ends this */
export function filterDiagnostics(): () => void {
  const endings = channels.map(filter)
  return () => {
    for (const end of endings) end()
  }
}

function filter(filtered: Channel): () => void {
  const own = Object.getOwnPropertyDescriptor(filtered, 'publish')
  const publish = (message: unknown, name: string): void => {
    const { request, socket } = message as Message
    const subject = socket ?? request?.agent ?? request?.socket
    if (subject && hidden.has(subject)) return
    // A channel changes its prototype with its first subscriber.
    const below = (own?.value ??
      Reflect.get(Object.getPrototypeOf(filtered) as Channel, 'publish')) as Channel['publish']
    Reflect.apply(below, filtered, [message, name])
  }
  Object.defineProperty(filtered, 'publish', { value: publish, configurable: true, writable: true })
  return () => {
    // If other code has replaced it since, keep that replacement. Ours then no longer hides messages.
    if (filtered.publish !== publish) return
    if (own) Object.defineProperty(filtered, 'publish', own)
    else Reflect.deleteProperty(filtered, 'publish')
  }
}
