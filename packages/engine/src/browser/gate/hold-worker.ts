import type { HeldPage } from './held-page.ts'
import { holdConnections, type Unconnected } from './hold-connections.ts'

/**
 * Holds the creation of web workers until mocking is on for the first time. A script of the page cannot hold the requests
 * of a worker, and those of a worker that was created before the page has a service worker go to the network.
 *
 * The messages to a held worker are copied when they are posted, and sent when the worker is created.
 */
export function holdWorker(page: HeldPage): void {
  const { scope } = page
  /** What revokes the URLs of held workers. Code revokes the URL of a `blob:` worker right after its creation. */
  const revocations = new Map<string, (() => void)[]>()

  for (const name of ['Worker', 'SharedWorker'] as const) {
    holdConnections(page, name, (_target, [url, options]) => {
      const text = String(url)
      const isShared = name !== 'Worker'
      // No other page can share a worker with a `blob:` URL. Vite's client creates one to detect that its server is back.
      const resolved = text.startsWith('blob:') && !isShared ? text : page.resolve(text)
      const { type = 'classic' } = Object(options) as WorkerOptions
      if (
        page.wasOpen ||
        // The platform's constructor refuses these, and says why.
        !resolved ||
        (resolved instanceof scope.URL && resolved.origin !== scope.location.origin) ||
        !['classic', 'module'].includes(type)
      ) {
        return undefined
      }
      const args = [
        // A `TrustedScriptURL` stays what it is.
        typeof url === 'string' || url instanceof scope.URL ? resolved : url,
        // The name of a shared worker may be its only option.
        typeof options === 'object' ? { ...options } : options,
      ]
      if (isShared) return { args, ...holdPort(scope) }
      if (!revocations.has(text)) revocations.set(text, [])
      const messages: Message[] = []
      const unconnected: Unconnected = {
        args,
        standIn: {
          postMessage(message: unknown, given?: Iterable<Transferable> | StructuredSerializeOptions | null) {
            const isList = Symbol.iterator in Object(given)
            const { transfer = [] } = (
              isList ? { transfer: [...(given as Iterable<Transferable>)] } : (given ?? {})
            ) as { transfer?: Transferable[] }
            // The copies of transferred objects are transferred again.
            messages.push(scope.structuredClone<Message>([message, transfer], { transfer }))
          },
          terminate: () => unconnected.withdraw?.(),
        },
        connect(worker) {
          for (const message of messages) (worker as Worker).postMessage(...message)
          // Another held worker may have the same URL.
          page.later(() => {
            for (const revoke of revocations.get(text) ?? []) revoke()
            revocations.delete(text)
          })
        },
      }
      return unconnected
    })
  }

  page.wrap(scope.URL, 'revokeObjectURL', {
    call(_self, [url]: [string], native) {
      const waiting = revocations.get(url)
      if (waiting) waiting.push(native)
      else native()
    },
  })
}

/** Creates the port of a shared worker that does not exist yet. Its messages are forwarded when the worker exists. */
function holdPort({ MessageChannel }: HeldPage['scope']): Pick<Unconnected, 'standIn' | 'connect'> {
  const { port1, port2 } = new MessageChannel()
  return {
    standIn: { port: port1 },
    connect(worker) {
      const { port } = worker as SharedWorker
      forward(port2, port)
      forward(port, port2)
      // The app may have stored its port.
      Object.defineProperty(worker, 'port', { value: port1 })
    },
  }
}

/** Forwards the messages of one port to another. A message with a stream fails, because an event lists only ports. */
function forward(from: MessagePort, to: MessagePort): void {
  from.onmessage = ({ data, ports }) => to.postMessage(data, [...ports])
}

type Message = [message: unknown, transfer: Transferable[]]
