import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'
import { getGate, type FetchLater } from '../gate/gate.ts'

/**
 * Creates a `fetchLater` whose requests handlers answer in the page, because Chromium does not show them to a service
 * worker.
 */
export function createFetchLater(network: Network): FetchLater {
  return (input, init) => {
    const native = getGate()?.natives.fetchLater as FetchLater
    const request = new Request(input instanceof Request ? input.clone() : input, init)
    const { method, url, signal } = request
    if (signal.aborted || !couldAnswer(network, method, new URL(url))) return native(input, init)
    // The platform checks the arguments and creates the result.
    const cancel = new AbortController()
    const result = native(input, { ...init, signal: cancel.signal })
    cancel.abort()
    // A page that is being left ends the loading of its files.
    import('./answer-later.ts').then(
      ({ answerLater }) => answerLater(network, request, init, result),
      () => {},
    )
    return result
  }
}
