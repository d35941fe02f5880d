import type { Network } from '../../core/network/network.ts'
import { webSocketEntries } from '../../ws/web-socket-side.ts'
import { getGate, type Natives } from '../gate/gate.ts'

/** Creates classes for web workers that check whether their WebSockets reach the page. */
export function watchWorkers(network: Network): Pick<Natives, 'Worker' | 'SharedWorker'> {
  const natives = getGate()?.natives ?? globalThis
  const { fetch } = natives
  const classes = (['Worker', 'SharedWorker'] as const).map((name) => {
    const native = natives[name]
    const watching =
      native &&
      new Proxy(native, {
        construct(target, args: unknown[], newTarget) {
          const worker = Reflect.construct(target, args, newTarget) as object
          // A policy may forbid reading the script, and the browser would report that to the app.
          if (webSocketEntries(network).length === 0) return worker
          const url = String(args[0])
          const blob = url.startsWith('blob:') ? fetch(url).then((response) => response.text()) : undefined
          // It is handled when it is read.
          blob?.catch(() => {})
          import('../reports/warn-of-unprocessed.ts')
            .then(({ warnOfUnprocessed }) => warnOfUnprocessed(url, network, blob))
            // A page that is left loads no files.
            .catch(() => {})
          return worker
        },
      })
    return [name, watching]
  })
  return Object.fromEntries(classes) as Pick<Natives, 'Worker' | 'SharedWorker'>
}
