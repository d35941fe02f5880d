import type { Network } from '../../core/network/network.ts'
import { later } from '../../core/real-time.ts'
import { decidedMark } from '../../core/responses/bypass.ts'
import { getGate, type FetchLater } from '../gate/gate.ts'
import { createFetch } from './in-page-fetch.ts'

/**
 * Answers a request of `fetchLater` in the page, at the time when the platform would send it: when the page is left, or
 * earlier after `activateAfter`.
 *
 * @param result of `fetchLater`. Its `activated` becomes `true` at that time
 */
export function answerLater(
  network: Network,
  request: Request,
  init: Parameters<FetchLater>[1],
  result: ReturnType<FetchLater>,
): void {
  const ended = new AbortController()
  const { signal } = ended
  let activated = false
  const isOn = (): boolean => getGate()?.replacements.fetchLater !== undefined
  Object.defineProperty(result, 'activated', { get: () => activated })
  const activate = (): void => {
    if (signal.aborted) return
    ended.abort()
    activated = true
    const { fetch } = getGate()?.natives ?? globalThis
    const send: typeof fetch = (input, ...rest) => {
      // Without the mark, the worker would ask the handlers again.
      if (input instanceof Request && navigator.serviceWorker?.controller) input.headers.append('accept', decidedMark)
      return fetch(input, ...rest)
    }
    // Such a request has no response, so ignore its failure.
    createFetch(network, send, isOn)(request, { keepalive: true }).catch(() => {})
  }
  request.signal.addEventListener('abort', () => ended.abort(), { signal })
  addEventListener('pagehide', activate, { signal })
  if (init?.activateAfter !== undefined) later(activate, init.activateAfter)
}
