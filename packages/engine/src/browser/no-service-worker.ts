/** Why a page cannot have a service worker, as it follows "because". */
export class NoServiceWorker {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}
