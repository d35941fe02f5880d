import type { ReconnectMessage } from './protocol.ts'

declare const self: ServiceWorkerGlobalScope

/** Returns the windows of this origin, starting with the one that was focused last. */
export const matchWindows = (): Promise<readonly WindowClient[]> =>
  self.clients.matchAll({ includeUncontrolled: true, type: 'window' })

/**
 * Returns whether a client belongs to another page, as a frame or a pop-up. Chromium reports `'top-level'` for pop-ups.
 */
export function isOfPage(client: Client | undefined): boolean {
  return client instanceof WindowClient && ['nested', 'auxiliary'].includes(client.frameType)
}

/** Asks a page to connect again, because this worker was restarted. */
export function askToReconnect(client: Client): void {
  client.postMessage({ type: 'understudy:reconnect' } satisfies ReconnectMessage)
}
