import type { ResponseData } from '../../worker/protocol.ts'

/** Watches the bodies that this page sends to the service worker. Firefox may end the worker before it has passed on all of a body. */
export interface SentBodyWatch {
  /** Call this when another worker controls this page. The previous worker may still send bodies. */
  beginLife(): void
  /** Call this when the browser has ended the worker and started it again. */
  endBodies(): void
  /** Returns the body to send, whose bytes are counted. */
  countBody(
    method: string,
    url: string,
    body: NonNullable<ResponseData['body']>,
    headers: Headers,
  ): ResponseData['body']
}

/** The watch of this page. Browsers other than Firefox need none. */
export const sentBodies: { watch?: SentBodyWatch } = {}
