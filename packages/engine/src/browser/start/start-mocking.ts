import { failure, print } from '../../core/failure.ts'
import { cookieJarOf } from '../../core/network/cookie-jar-of.ts'
import { undecided, type Network } from '../../core/network/network.ts'
import type { Source } from '../../core/source.ts'
import { setUnhandledReport } from '../../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy } from '../../core/unhandled/unhandled-request.ts'
import { EventSourceSource } from '../connections/event-source-source.ts'
import { loadSocketCode, WebSocketSource } from '../connections/web-socket-source.ts'
import { loadForFirefox } from '../firefox/load-firefox.ts'
import { getGate, getPageState, type Replacements, type PageScope } from '../gate/gate.ts'
import { createFetchLater } from '../in-page/in-page-fetch-later.ts'
import { prerenderedDocument } from '../lifecycle/prerendered-document.ts'
import { reportEarlyWhenLoaded } from '../reports/early-requests.ts'
import { printConnection } from '../reports/print-connection.ts'
import { printDecision } from '../reports/print-decision.ts'
import { messageOf, NoServiceWorker } from '../service-worker/no-service-worker.ts'
import { ServiceWorkerSource } from '../service-worker/service-worker-source.ts'
import type { StartOptions } from './start-options.ts'
import { watchFrames } from './watch-frames.ts'

export { cookieJarOf }

setUnhandledReport(unhandledReport)

/** A part of mocking that ends with it. */
type Part = Pick<Source, 'stop'>

// A page without a plugin has no gate.
const gateModule = getGate() ? undefined : import('../gate/install-gate.ts')
gateModule?.catch(ignore)

/**
 * Holds the requests of the page if no plugin does so and no other engine of the page answers them.
 *
 * @returns whether requests are held now
 */
async function holdRequests(): Promise<boolean> {
  const gate = getGate()
  if (!gate) {
    const { installGate } = await (gateModule ?? import('../gate/install-gate.ts'))
    return installGate(globalThis as PageScope).state === 'held'
  }
  // Another engine may be about to end. It does not open a gate that was held again.
  const isFree = gate.state === 'held' ? gate.isEnding : !gate.replacements.WebSocket
  if (!isFree) return false
  gate.hold()
  return true
}

/** Active mocking of a page. */
export interface RunningMocking {
  /** `undefined` if requests are answered in the page. */
  readonly registration: ServiceWorkerRegistration | undefined
  /** Resolves when requests of the page reach the network again. They are held until then. */
  stop(): Promise<void>
}

/**
 * Brings the requests of the page to a network, with a service worker, or in the page if it cannot have one.
 *
 * @throws {UnderstudyError} if the worker's script is missing
 */
export async function startMocking(network: Network, options: StartOptions): Promise<RunningMocking> {
  const { serviceWorker = {}, findWorker, quiet = false } = options
  if (network.unhandled === undecided) network.unhandled = readUnhandledPolicy(options)
  // From now on, worker.cookies.clear() is synchronous.
  cookieJarOf(network)
  const besideWorker = isAnsweredInPage(options) ? import('../in-page/beside-worker.ts') : undefined
  besideWorker?.catch(() => {})
  const printing = [network.decisions.add(printDecision), network.connections.add(printConnection)]
  // An earlier start may have enabled the console output.
  if (quiet) for (const end of printing) end()
  const endFrames = watchFrames(network)
  const endTrace = mayBeTraced() ? (await import('../reports/trace-page.ts')).tracePage(network) : undefined
  const socketCode = loadSocketCode(network)
  const loading = loadForFirefox()
  // If one of these promises rejects, the start fails when it awaits it.
  for (const file of [socketCode, loading]) file.catch(ignore)
  const isHeldHere = await holdRequests()
  // The current source. It may change.
  let sources: Part[] = []
  const answerInPage = async ({ reason, advice }: NoServiceWorker): Promise<void> => {
    const loaded = await import('../in-page/in-page-source.ts')
    for (const source of sources) void source.stop()
    const source = await loaded.InPageSource.start(network)
    const sockets = new WebSocketSource(network, await socketCode)
    const streams = new EventSourceSource(network, source.replacements.fetch, true)
    sources = [source, sockets, streams]
    // In jsdom, only scripts make requests, so print no notice there.
    if (!quiet || 'isSecureContext' in globalThis) {
      const message =
        `Mocking is on, in the page itself, because ${reason}. ${advice === undefined ? '' : `${advice} `}` +
        'Requests of its scripts are answered; those of elements (images, styles) and of workers are not.'
      if (advice === undefined) print.info(message + describePanel())
      else print.warn('US0313', message)
    }
    // The requests that wait are answered, and printed, at once.
    getGate()?.open({ ...source.replacements, ...replacementsOf(network, sockets, streams) })
  }
  const startSources = async (): Promise<ServiceWorkerSource | NoServiceWorker> => {
    const attempt = await ServiceWorkerSource.start(
      network,
      {
        url: serviceWorker.url ?? '/understudy-worker.js',
        ...(serviceWorker.options && { options: serviceWorker.options }),
        isOptional: serviceWorker.isOptional ?? false,
        ...(findWorker && { find: findWorker }),
      },
      (problem) => {
        answerInPage(problem).catch((error: unknown) => {
          print.error(
            'US0321',
            `Failed to answer in the page: ${messageOf(error)}. The page must answer, because ${problem.reason}. Requests wait. ` +
              (problem.advice ?? 'Start the dev server if it is not running, and reload the page.'),
            error,
          )
        })
      },
    )
    if (attempt instanceof NoServiceWorker) {
      await answerInPage(attempt)
      return attempt
    }
    sources = [attempt]
    const sockets = new WebSocketSource(network, await socketCode)
    const firefox = await loading
    const natives = getGate()?.natives ?? globalThis
    const ofFirefox = firefox?.startForFirefox(network, natives, attempt)
    if (ofFirefox) sources.push(ofFirefox)
    const { fetch } = ofFirefox?.replacements ?? natives
    // The gate does not hold streams that are opened through a stored reference to this class. So their requests wait
    // here until the worker has received the last change of the handlers.
    const streams = new EventSourceSource(network, (...args) => attempt.lastChange.then(() => fetch(...args)), false)
    const inPage = (await besideWorker)?.answerBesideWorker(network, fetch)
    sources.push(sockets, streams, ...(inPage ? [inPage] : []))
    if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.${describePanel()}`)
    getGate()?.open({
      ...replacementsOf(network, sockets, streams),
      ...ofFirefox?.replacements,
      ...attempt.createWorkers({ ...natives, ...ofFirefox?.replacements, ...sockets.ofChromium?.workers }),
      ...inPage?.replacements,
    })
    sources.push({ stop: reportEarlyWhenLoaded(network) })
    return attempt
  }
  const attempt = await startSources().catch(async (error: unknown) => {
    await Promise.all(sources.map(async (source) => source.stop()))
    // The caller gets the error, and decides what the page does without a plugin.
    if (isHeldHere) getGate()?.open()
    throw error
  })
  // Browsers do not show these requests to a service worker.
  const watching = network.pages.areServed
    ? undefined
    : import('../documents/watch-documents.ts').then(({ watchDocuments }) => watchDocuments(network), ignore)
  return {
    registration: attempt instanceof NoServiceWorker ? undefined : attempt.registration,
    async stop() {
      endFrames()
      endTrace?.()
      void watching?.then((end) => end?.())
      const ends = sources.map((source) => source.stop()).filter((end) => end !== undefined)
      const gate = getGate()
      // Removes the replacements from the globals.
      gate?.open()
      if (ends.length === 0) return
      const release = gate?.hold({ connections: false })
      await Promise.all(ends)
      release?.()
    },
  }
}

/**
 * Waits until the browser shows a page that it prerenders: call it before {@link startMocking}. Before, the browser
 * defers messages to the worker, and each step of the start would reach its time-out.
 *
 * @see https://wicg.github.io/nav-speculation/prerendering.html#patch-service-workers
 */
export function untilShown(): Promise<unknown> | undefined {
  const document = prerenderedDocument(globalThis)
  return document && new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
}

/** @throws {UnderstudyError} if the option is not valid */
function isAnsweredInPage({ answer = 'worker' }: StartOptions): boolean {
  if (answer === 'page' || answer === 'worker') return answer === 'page'
  throw failure(
    'US0319',
    'start the worker',
    `${JSON.stringify(answer)} is not a valid value of "answer"`,
    'Use "page" or "worker".',
  )
}

/**
 * Ignores a failed import: the browser cancels the loading of files when the page unloads, and it reports a missing
 * file itself.
 */
function ignore(): void {}

/** Returns whether `localStorage.debug` may switch the trace on. The file that prints the trace parses the value. */
function mayBeTraced(): boolean {
  try {
    return /\*|understudy/.test(localStorage.getItem('debug') ?? '')
  } catch {
    // Pages with an opaque origin have no storage.
    return false
  }
}

function replacementsOf(
  network: Network,
  { replacement: WebSocket }: WebSocketSource,
  { replacement: EventSource }: EventSourceSource,
): Pick<Partial<Replacements>, 'WebSocket' | 'EventSource' | 'fetchLater'> {
  return { WebSocket, fetchLater: createFetchLater(network), ...(EventSource && { EventSource }) }
}

/** Browsers make a link of the URL. */
function describePanel(): string {
  const { panel } = getPageState()
  return panel === undefined ? '' : ` Panel: ${panel}`
}
