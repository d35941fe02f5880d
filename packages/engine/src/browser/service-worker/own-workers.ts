import type { Natives } from '../gate/gate.ts'

type WorkerClasses = Pick<Natives, 'Worker' | 'SharedWorker'>

/**
 * Creates classes for web workers that report each `blob:` URL. The service worker does not see the request for such a script, so
 * it would not know which page answers the requests of the web worker.
 *
 * @param own called before a web worker with such a URL is created
 */
export function createOwnWorkers(natives: WorkerClasses, own: (url: string) => void): WorkerClasses {
  const classes = (['Worker', 'SharedWorker'] as const).map((name) => {
    const native = natives[name]
    const reporting =
      native &&
      new Proxy(native, {
        construct(target, args: unknown[], newTarget) {
          // A `TrustedScriptURL` is an object.
          const url = String(args[0])
          if (url.startsWith('blob:')) own(url)
          return Reflect.construct(target, args, newTarget) as object
        },
      })
    return [name, reporting]
  })
  return Object.fromEntries(classes) as WorkerClasses
}
