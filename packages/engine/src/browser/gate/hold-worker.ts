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

  holdConnections(page, 'Worker', (target, [url, options]) => {
    const { type = 'classic', ...others } = { ...(options as WorkerOptions | undefined) }
    const text = String(url)
    const resolved = text.startsWith('blob:') ? text : page.resolve(text)
    if (
      page.wasOpen ||
      // The platform's constructor refuses these, and says why.
      !resolved ||
      (resolved instanceof scope.URL && resolved.origin !== scope.location.origin) ||
      !['classic', 'module'].includes(type)
    ) {
      return undefined
    }
    if (!revocations.has(text)) revocations.set(text, [])
    const messages: Message[] = []
    const unconnected: Unconnected = {
      // A `TrustedScriptURL` stays what it is.
      args: [typeof url === 'string' || url instanceof scope.URL ? resolved : url, { ...others, type }],
      standIn: {
        postMessage(message: unknown, given?: Iterable<Transferable> | StructuredSerializeOptions | null) {
          const isList = Symbol.iterator in Object(given)
          const { transfer = [] } = (isList ? { transfer: [...(given as Iterable<Transferable>)] } : (given ?? {})) as {
            transfer?: Transferable[]
          }
          // The copies of transferred objects are transferred again.
          messages.push(scope.structuredClone<Message>([message, transfer], { transfer }))
        },
        terminate: () => unconnected.withdraw?.(),
      },
      fail: () => target.dispatchEvent(new scope.Event('error')),
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

  page.wrap(scope.URL, 'revokeObjectURL', {
    call(_self, [url]: [string], native) {
      const waiting = revocations.get(url)
      if (waiting) waiting.push(native)
      else native()
    },
  })
}

type Message = [message: unknown, transfer: Transferable[]]
