import { failure, print } from '../../core/failure.ts'
import { later } from '../../core/real-time.ts'
import { bypassMark } from '../../core/responses/bypass.ts'
import { getGate } from '../gate/gate.ts'
import { activationLimit, registrationTimeout } from '../lifecycle/time-outs.ts'
import { messageOf, NoServiceWorker } from './no-service-worker.ts'
import { within } from './within.ts'

/** A text that only our script contains. */
const ownMark = 'understudy:connect'
/** The message that MSW's script answers, in all versions. */
const mswQuestion = 'KEEPALIVE_REQUEST'
const mswAnswer = 'KEEPALIVE_RESPONSE'

const serveOurs =
  'Let the plugin of your build tool serve it, or serve the file from `@understudy/engine/worker` there.'

/** Resolves if the script is not ours. Never resolves if it is ours, or if that is unknown. */
export function findForeignScript(url: string, worker?: ServiceWorker): Promise<NoServiceWorker> {
  return new Promise((resolve) => {
    void describeForeignScript(url).then((problem) => problem && resolve(problem))
    if (worker) void isOfMsw(worker).then(() => resolve(describeMsw(worker.scriptURL)))
  })
}

/**
 * Says what the page is waiting for. Otherwise a developer would look for the cause elsewhere.
 *
 * @param step what the browser has not done, as the continuation of "the browser has not"
 */
export async function reportSlowStep(url: string, step: string): Promise<void> {
  const isServed = await within(
    activationLimit,
    fetchScript(url).catch(() => undefined),
  )
  const reason = isServed ? `the browser has not ${step} ${url}` : `the server has not sent ${url}`
  print.warn(
    'US0323',
    `Still waiting for the service worker: ${reason}. Requests are held until then. ` +
      'If the machine is not busy, reload the page.',
  )
}

async function describeForeignScript(url: string): Promise<NoServiceWorker | undefined> {
  try {
    const response = await fetchScript(url)
    if (response.type === 'opaqueredirect') return describeRedirect(url)
    const script = await response.text()
    // The browser refuses a page that the server sends for an unknown path. The refusal is explained as a missing script.
    if (!response.ok || !isScript(response) || script.includes(ownMark)) return undefined
    if (script.includes(mswQuestion)) return describeMsw(url)
    // It may import ours, and be slow.
    if (/\bimport(?:Scripts)?\b/.test(script)) await new Promise<void>((resolve) => later(resolve, registrationTimeout))
    return script.trim() === ''
      ? new NoServiceWorker(`the service worker script ${url} is empty`, serveOurs)
      : new NoServiceWorker(`the script ${url} is not Understudy's service worker`, serveOurs)
  } catch {
    // The server does not answer, so the caller waits until its time-out.
    return undefined
  }
}

/** Requests the script of a worker from the server. Does not follow redirects. */
function fetchScript(url: string): Promise<Response> {
  const { fetch } = getGate()?.natives ?? globalThis
  // The mark keeps a worker from an earlier visit from asking this page about the request.
  return fetch(url, { cache: 'no-store', redirect: 'manual', headers: { accept: `*/*, ${bypassMark}` } })
}

function describeRedirect(url: string): NoServiceWorker {
  return new NoServiceWorker(
    `the server redirects ${url}, and browsers do not follow redirects of service worker scripts`,
    serveOurs,
  )
}

function describeMsw(url: string): NoServiceWorker {
  return new NoServiceWorker(
    `the script ${url} is MSW's service worker`,
    'Delete that file, and remove the option `serviceWorker.url` where the plugin of your build tool serves ' +
      'the worker. Without a plugin, replace it with the file from `@understudy/engine/worker`.',
  )
}

/** Resolves if a worker answers the message of MSW's script. */
function isOfMsw(worker: ServiceWorker): Promise<void> {
  const container = navigator.serviceWorker
  return new Promise((resolve) => {
    const onMessage = ({ data, source }: MessageEvent<unknown>): void => {
      if (source !== worker || (data as { type?: unknown } | null)?.type !== mswAnswer) return
      container.removeEventListener('message', onMessage)
      resolve()
    }
    container.addEventListener('message', onMessage)
    container.startMessages()
    worker.postMessage(mswQuestion)
  })
}

/**
 * Explains why the browser did not register the service worker.
 *
 * @param isOptional whether the page can be mocked without the worker
 * @throws {UnderstudyError} if the script is missing, and the page needs it
 */
export async function explainRefusal(url: string, isOptional: boolean, cause: unknown): Promise<NoServiceWorker> {
  const problem = await findScriptProblem(url)
  if (problem instanceof NoServiceWorker) return problem
  if (problem === undefined) {
    return new NoServiceWorker(
      `the browser refuses the service worker (${messageOf(cause)})`,
      // Only the text of the browser's error gives this reason, if at all.
      location.protocol === 'https:'
        ? 'If the browser does not trust the certificate of this page, install it, for example with mkcert.'
        : undefined,
    )
  }
  if (isOptional) return new NoServiceWorker(`there is no service worker script at ${url} (${problem})`)
  throw failure(
    'US0301',
    'start mocking',
    `there is no service worker script at ${url}: ${problem}`,
    'Let the plugin of your build tool serve it, or serve the file from `@understudy/engine/worker` there.',
    { cause },
  )
}

/** Returns the problem with the worker's script; `undefined` if the server sends a script. */
async function findScriptProblem(url: string): Promise<string | NoServiceWorker | undefined> {
  try {
    const response = await fetchScript(url)
    if (response.type === 'opaqueredirect') return describeRedirect(url)
    if (!response.ok) return `the server answers ${response.status}`
    return isScript(response) ? undefined : `the server answers with the content type "${typeOf(response)}"`
  } catch {
    return 'the server does not answer'
  }
}

/** Returns whether browsers accept a response as the script of a worker. */
function isScript(response: Response): boolean {
  return /javascript|ecmascript/.test(typeOf(response))
}

function typeOf({ headers }: Response): string {
  return headers.get('content-type') ?? ''
}
