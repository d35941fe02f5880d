/** The reason why a page cannot have a service worker, as a clause after "because". */
export class NoServiceWorker {
  readonly reason: string
  /** What the developer can do, as a whole sentence. `undefined` if that is obvious or impossible. */
  readonly advice: string | undefined

  constructor(reason: string, advice?: string) {
    this.reason = reason
    this.advice = advice
  }
}

/** The page had a service worker, and a script of the page removed it before mocking was on. */
export class ServiceWorkerRemoved extends NoServiceWorker {
  constructor() {
    super('a script of this page removes the service worker whenever it is registered')
  }
}

/** The worker has another version, and does not understand this page. It fails the requests of the page. */
export class OtherVersion extends NoServiceWorker {}

/** Returns the message of an error for the reason of {@link NoServiceWorker}. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
