import { bypassMark } from '../../core/responses/bypass.ts'
import { getGate } from '../gate/gate.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { untilState } from './service-worker-container.ts'
import { scriptCheckDelay } from './time-outs.ts'
import { within } from './within.ts'

/** A text that only our script contains. */
const ownMark = 'understudy:connect'
/** The message that MSW's script answers, in all versions. */
const mswQuestion = 'KEEPALIVE_REQUEST'
const mswAnswer = 'KEEPALIVE_RESPONSE'

const serveOurs = 'Let the plugin of your build tool serve it, or serve the file of `@understudy/engine/worker` there.'

/**
 * Waits for a service worker, and checks its script if that takes longer than {@link scriptCheckDelay}. A foreign
 * script never answers; our script may only be slow.
 *
 * @param limit in milliseconds
 * @returns `undefined` after the limit; {@link NoServiceWorker} as soon as the script turns out not to be ours
 */
export async function awaitOwnWorker<Value>(
  url: string,
  limit: number,
  promise: Promise<Value>,
): Promise<Value | NoServiceWorker | undefined> {
  const prompt = await within(scriptCheckDelay, promise)
  if (prompt !== undefined) return prompt
  return within(limit, Promise.race([promise, findForeignScript(url)]))
}

/**
 * Waits until a worker answers with its version. Checks its script at once, because the worker was already slow.
 *
 * @param limit in milliseconds
 */
export async function awaitVersion(
  worker: ServiceWorker,
  connected: Promise<string>,
  limit: number,
): Promise<string | NoServiceWorker> {
  const removed = untilState(worker, ['redundant']).then(() => new ServiceWorkerRemoved())
  const foreign = findForeignScript(worker.scriptURL, worker)
  const answer = await within(limit, Promise.race([connected, removed, foreign]))
  return answer ?? new NoServiceWorker(`the service worker ${worker.scriptURL} does not answer`)
}

/** Resolves if the script is not ours. Never resolves if it is ours, or if that is unknown. */
function findForeignScript(url: string, worker?: ServiceWorker): Promise<NoServiceWorker> {
  return new Promise((resolve) => {
    void describeForeignScript(url).then((problem) => problem && resolve(problem))
    if (worker) void isOfMsw(worker).then(() => resolve(describeMsw(worker.scriptURL)))
  })
}

async function describeForeignScript(url: string): Promise<NoServiceWorker | undefined> {
  const { fetch } = getGate()?.natives ?? globalThis
  try {
    // The mark keeps a worker from an earlier visit from asking this page about the request.
    const response = await fetch(url, {
      cache: 'no-store',
      redirect: 'manual',
      headers: { accept: `*/*, ${bypassMark}` },
    })
    if (response.type === 'opaqueredirect') return describeRedirect(url)
    const script = await response.text()
    // The script may import ours.
    if (!response.ok || script.includes(ownMark) || /\bimport(?:Scripts)?\b/.test(script)) return undefined
    if (script.includes(mswQuestion)) return describeMsw(url)
    return script.trim() === ''
      ? new NoServiceWorker(`the service worker script ${url} is empty`, serveOurs)
      : new NoServiceWorker(`the script ${url} is not Understudy's service worker`, serveOurs)
  } catch {
    // The server does not answer, so the caller waits until its time-out.
    return undefined
  }
}

export function describeRedirect(url: string): NoServiceWorker {
  return new NoServiceWorker(
    `the server redirects ${url}, and browsers do not follow redirects of service worker scripts`,
    serveOurs,
  )
}

function describeMsw(url: string): NoServiceWorker {
  return new NoServiceWorker(
    `the script ${url} is MSW's service worker`,
    'Delete that file, and remove the option `serviceWorker.url` where the plugin of your build tool serves ' +
      'the worker. Without a plugin, put the file of `@understudy/engine/worker` in its place.',
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
