/** The code that only Firefox needs. Other browsers do not load it. */
import type { Network } from '../../core/network/network.ts'
import type { PageStateMessage } from '../../worker/protocol.ts'
import type { Natives, Replacements } from '../gate/gate.ts'
import { KeepAlive } from '../service-worker/keep-alive.ts'
import { sentBodies } from '../service-worker/sent-body-watch.ts'
import type { ServiceWorkerSource } from '../service-worker/service-worker-source.ts'
import { holdForReplacement } from './hold-for-replacement.ts'
import { createKeepaliveFetch } from './keepalive-fetch.ts'
import { holdLeavingElements } from './leaving-elements.ts'
import { createLeavingSources } from './leaving-page.ts'
import { answerLeavingXMLHttpRequests } from './leaving-xml-http-request.ts'
import { passSynchronousRequests } from './pass-synchronous-requests.ts'
import { watchPolicyReports } from './policy-reports.ts'
import { beginLife, countBody, createWatchedFetch, endBodies, watchXMLHttpRequests } from './sent-bodies.ts'
import { createServedWorkers } from './served-workers.ts'
import { warnOfReplacement } from './warn-of-replacement.ts'

// The worker may ask for a response before mocking has started.
sentBodies.watch = { beginLife, countBody, endBodies }

/** The source that Firefox needs in addition to the service worker. */
interface FirefoxSource {
  /** Replacements of the globals. */
  readonly replacements: Pick<Replacements, 'fetch' | 'sendBeacon' | 'Worker' | 'SharedWorker'>
  readonly stop: () => void
}

/**
 * Changes the page's XMLHttpRequest, keeps the service worker alive, and creates the replacements of other globals.
 *
 * @param worker the source of the requests that the service worker sees
 */
export function startForFirefox(network: Network, natives: Natives, worker: ServiceWorkerSource): FirefoxSource {
  let hasWorkers = false
  const noteWorker = (url: string, script: string | undefined): void => {
    hasWorkers = true
    const blob = script === undefined ? undefined : Promise.resolve(script)
    import('../reports/warn-of-unprocessed.ts')
      .then(({ warnOfUnprocessed }) => warnOfUnprocessed(url, network, blob))
      // A page that is left loads no files.
      .catch(() => {})
  }
  const fetch = createKeepaliveFetch(network, createWatchedFetch(natives.fetch))
  const ends = [
    keepWorkerAlive(),
    holdForReplacement(network, worker),
    passSynchronousRequests(),
    watchXMLHttpRequests(),
    answerLeavingXMLHttpRequests(network, natives),
    holdLeavingElements(),
    watchPolicyReports(network),
    warnOfReplacement(() => hasWorkers),
  ]
  return {
    replacements: {
      ...createLeavingSources(network, fetch, natives),
      ...createServedWorkers(natives, worker.registration.scope, noteWorker),
    },
    stop() {
      for (const end of ends.toReversed()) end()
    },
  }
}

/**
 * Firefox ends an idle worker together with the responses of the network that it forwards, and the page does not see
 * when these are complete.
 */
function keepWorkerAlive(): () => void {
  let isOn = true
  const message = { type: 'understudy:keep-alive' } satisfies PageStateMessage
  new KeepAlive(() => navigator.serviceWorker.controller?.postMessage(message)).while(() => isOn)
  return () => {
    isOn = false
  }
}
