import type { Network } from '../../core/network/network.ts'
import { watchWebWorker } from '../connections/watch-web-worker.ts'
import { getGate, type Natives } from '../gate/gate.ts'

/** Creates classes for web workers that check whether their WebSockets reach the page. */
export function watchWorkers(network: Network): Pick<Natives, 'Worker' | 'SharedWorker'> {
  const natives = getGate()?.natives ?? globalThis
  const classes = (['Worker', 'SharedWorker'] as const).map((name) => {
    const native = natives[name]
    const watching =
      native &&
      new Proxy(native, {
        construct(target, args: unknown[], newTarget) {
          const worker = Reflect.construct(target, args, newTarget) as object
          void watchWebWorker(String(args[0]), network)
          return worker
        },
      })
    return [name, watching]
  })
  return Object.fromEntries(classes) as Pick<Natives, 'Worker' | 'SharedWorker'>
}
