import { failure, print } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import type { Source } from '../../core/source.ts'
import { EventSourceSource } from '../connections/event-source-source.ts'
import { loadOpenUnhandled, WebSocketSource } from '../connections/web-socket-source.ts'
import { loadForFirefox } from '../firefox/load-firefox.ts'
import { getGate, type Replacements, type PageScope } from '../gate/gate.ts'
import { printConnection } from '../reports/print-connection.ts'
import { printDecision } from '../reports/print-decision.ts'
import { NoServiceWorker } from '../service-worker/no-service-worker.ts'
import { ServiceWorkerSource } from '../service-worker/service-worker-source.ts'
import type { StartOptions } from './start-options.ts'

/** A part of mocking that ends with it. */
type Part = Pick<Source, 'stop'>

// A page that no plugin prepared has no gate.
const gateModule = getGate() ? undefined : import('../gate/install-gate.ts')
gateModule?.catch(ignore)

/**
 * Holds the requests of the page where no plugin has done so, and no other engine of the page answers.
 *
 * @returns whether it did
 */
async function holdRequests(): Promise<boolean> {
  const gate = getGate()
  if (!gate) {
    const { installGate } = await (gateModule ?? import('../gate/install-gate.ts'))
    return installGate(globalThis as PageScope).state === 'held'
  }
  // Another engine may be about to end: it does not open what is held again.
  const isFree = gate.state === 'held' ? gate.isEnding : !gate.replacements.WebSocket
  if (!isFree) return false
  gate.hold()
  return true
}

/** Mocking that is on. */
export interface RunningMocking {
  /** Nothing, where the page answers itself. */
  readonly registration: ServiceWorkerRegistration | undefined
  /** Resolves when requests of the page reach the network again. They are held until then. */
  stop(): Promise<void>
}

/**
 * Brings the requests of the page to a network: by a service worker, or in the page where it can have none.
 *
 * @throws where the worker's script is missing
 */
export async function startMocking(network: Network, options: StartOptions): Promise<RunningMocking> {
  const { serviceWorker = {}, findWorker, quiet = false } = options
  const besideWorker = isAnsweredInPage(options) ? import('../in-page/beside-worker.ts') : undefined
  besideWorker?.catch(() => {})
  const printing = [network.decisions.add(printDecision), network.connections.add(printConnection)]
  // An earlier start may have been one that prints.
  if (quiet) for (const end of printing) end()
  const onLoad = ({ target }: Event): void => {
    if (target instanceof HTMLIFrameElement) {
      void import('../reports/report-escaped.ts').then(({ watchFrame }) => watchFrame(target, network), ignore)
    }
  }
  document.addEventListener('load', onLoad, true)
  const endTrace = mayBeTraced() ? (await import('../reports/trace-page.ts')).tracePage(network) : undefined
  const openUnhandled = loadOpenUnhandled(network)
  const loading = loadForFirefox()
  // The start fails with these where it comes to need them.
  for (const file of [openUnhandled, loading]) file.catch(ignore)
  const isHeldHere = await holdRequests()
  // What brings requests in now: it may change.
  let sources: Part[] = []
  const answerInPage = async ({ reason, advice }: NoServiceWorker): Promise<void> => {
    const { InPageSource } = await import('../in-page/in-page-source.ts')
    for (const source of sources) void source.stop()
    const source = await InPageSource.start(network)
    const sockets = new WebSocketSource(network, await openUnhandled)
    const streams = new EventSourceSource(network, source.replacements.fetch, true)
    sources = [source, sockets, streams]
    getGate()?.open({ ...source.replacements, ...replacementsOf(sockets, streams) })
    // What stands in for a browser in tests (jsdom) requests nothing else.
    if (quiet && !('isSecureContext' in globalThis)) return
    const message =
      `Mocking is on, in the page itself, because ${reason}. ${advice === undefined ? '' : `${advice} `}` +
      'Requests of its scripts are answered; those of elements (images, styles) and of workers are not.'
    if (advice === undefined) print.info(message)
    else print.warn('US0313', message)
  }
  const attempt = await ServiceWorkerSource.start(
    network,
    {
      url: serviceWorker.url ?? '/understudy-worker.js',
      ...(serviceWorker.options && { options: serviceWorker.options }),
      isOptional: serviceWorker.isOptional ?? false,
      ...(findWorker && { find: findWorker }),
    },
    (problem) => void answerInPage(problem),
  ).catch((error: unknown) => {
    // The caller is told. Without a plugin, it decides what the page does then.
    if (isHeldHere) getGate()?.open()
    throw error
  })
  if (attempt instanceof NoServiceWorker) await answerInPage(attempt)
  else {
    const sockets = new WebSocketSource(network, await openUnhandled)
    const firefox = await loading
    const natives = getGate()?.natives ?? globalThis
    const ofFirefox = firefox?.startForFirefox(network, natives)
    const { fetch } = ofFirefox?.replacements ?? natives
    // What others keep of the class is not held while the worker learns of a handler.
    const streams = new EventSourceSource(network, (...args) => attempt.lastChange.then(() => fetch(...args)), false)
    sources = [attempt, sockets, streams]
    if (ofFirefox) sources.push(ofFirefox)
    const inPage = (await besideWorker)?.answerBesideWorker(network, fetch)
    if (inPage) sources.push(inPage)
    getGate()?.open({ ...replacementsOf(sockets, streams), ...ofFirefox?.replacements, ...inPage?.replacements })
    if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.`)
  }
  // Those that browsers do not show to a service worker.
  const watching = network.pages.areServed
    ? undefined
    : import('../documents/watch-documents.ts').then(({ watchDocuments }) => watchDocuments(network), ignore)
  return {
    registration: attempt instanceof NoServiceWorker ? undefined : attempt.registration,
    async stop() {
      document.removeEventListener('load', onLoad, true)
      endTrace?.()
      void watching?.then((end) => end?.())
      const ends = sources.map((source) => source.stop()).filter((end) => end !== undefined)
      const gate = getGate()
      // Takes what answers in the page out of the globals again.
      gate?.open()
      if (ends.length === 0) return
      const release = gate?.hold({ connections: false })
      await Promise.all(ends)
      release?.()
    },
  }
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
 * A page that is left ends the loading of its files, so that is not reported. Where a file is missing, the browser
 * reports the request itself.
 */
function ignore(): void {}

/** Whether `localStorage.debug` may switch the trace on. The file that prints it reads the value in full. */
function mayBeTraced(): boolean {
  try {
    return /\*|understudy/.test(localStorage.getItem('debug') ?? '')
  } catch {
    // Pages of an opaque origin have no storage.
    return false
  }
}

function replacementsOf(
  { replacement: WebSocket }: WebSocketSource,
  { replacement: EventSource }: EventSourceSource,
): Pick<Partial<Replacements>, 'WebSocket' | 'EventSource'> {
  return { WebSocket, ...(EventSource && { EventSource }) }
}
