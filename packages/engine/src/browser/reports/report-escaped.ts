import { nameHandler } from '../../core/call-site.ts'
import { print } from '../../core/failure.ts'
import { isRequestHandler } from '../../core/handlers/request-handler.ts'
import { mayAnswerApp } from '../../core/network/app-request.ts'
import { mayAnswerDocuments } from '../../core/network/document-request.ts'
import type { Network } from '../../core/network/network.ts'
import { matchPath } from '../../core/routing/match-path.ts'
import type { RequestData } from '../../worker/protocol.ts'
import type { PageScope } from '../gate/gate.ts'
import { warnOfSynchronousRequest } from '../gate/warn-of-synchronous-request.ts'
import { watchBypass } from './bypass-watch.ts'

/** The elements that load documents, as timing entries name them. */
const documentInitiators: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed'])

/** What loads scripts and style sheets, as timing entries name it. */
const codeInitiators: ReadonlySet<string> = new Set(['script', 'link', 'other'])

/** Reports requests that went to the network because the page had lost its service worker. */
export function reportEscaped(requests: readonly PerformanceEntry[]): void {
  for (const { name } of requests) {
    print.error(
      'US0314',
      `Failed to answer a request for ${name}: it did not reach the service worker, and went to the network. Make it again.`,
    )
  }
}

/**
 * Reports synchronous requests, which browsers other than Firefox do not show to a service worker. In Firefox, the page
 * reports them when it makes them.
 *
 * @param requests those of XMLHttpRequest that did not pass the worker, although it was reached
 */
export function reportSynchronous(requests: readonly PerformanceResourceTiming[]): void {
  const seen = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  // The browser may not measure which requests pass a worker.
  if (!seen.some(({ workerStart }) => workerStart > 0)) return
  for (const { name } of requests) warnOfSynchronousRequest('a request of', name)
}

/** Reports a request that the browser has ended, because its handler took too long. */
export function reportLate({ method, url }: RequestData): void {
  print.warn(
    'US0318',
    `Failed to answer ${method} ${url} in time: the handler has not responded within five minutes, and the browser ` +
      'then ends requests that pass a service worker. Respond earlier, for example with a stream.',
  )
}

/**
 * Reports that a handler did not answer a request for code of the app because its path names no file, although the server
 * has no such file.
 *
 * @param response that of the server
 */
export function reportSkipped(
  { method, url: address, mode }: RequestData,
  { layers, baseUrl, pages }: Network,
  { status, headers, body }: Response,
): void {
  void body?.cancel()
  // Dev servers answer a path without a file with the app's page.
  if (status !== 404 && !/^text\/html/i.test(headers.get('content-type') ?? '')) return
  const url = new URL(address)
  const skipped = layers.entries().find(({ enabled, handler }) => {
    if (!enabled || !isRequestHandler(handler) || !mayAnswerDocuments(handler, baseUrl, pages)) return false
    const pattern = handler.pattern(baseUrl)
    return (
      pattern !== undefined &&
      handler.route(baseUrl).methods?.includes(method) !== false &&
      matchPath(pattern, url) !== null &&
      !mayAnswerApp(handler, { url, baseUrl }, mode, pages)
    )
  })
  if (!skipped) return
  print.warn(
    'US0324',
    `Failed to answer ${method} ${url.href}: the server has no script or style sheet there, and the path of the handler ` +
      `${nameHandler(skipped.handler)} names no file, so it does not answer requests for code of the app. ` +
      `Add a handler that names the file: http.get('${url.pathname}', …).`,
  )
}

/**
 * Reports requests from elements that went to the network because they were made before mocking was on. Not reported are
 * requests that only a handler of every path matches (most are files of the app), requests for code of the app, and
 * documents that the dev server answers by the handlers module.
 */
export function reportEarly(entries: readonly PerformanceResourceTiming[], { layers, baseUrl, pages }: Network): void {
  const candidates = layers.entries().flatMap(({ enabled, handler, layer }) => {
    if (!enabled || !isRequestHandler(handler) || !mayAnswerDocuments(handler, baseUrl, pages)) return []
    const { methods, segments, open } = handler.route(baseUrl)
    const pattern = handler.pattern(baseUrl)
    // A RegExp or a function may match files of the app.
    if (!pattern || pattern.source instanceof RegExp || methods?.includes('GET') === false) return []
    // `*/user` has no segments, and `/:any` has no text.
    if (!open && segments.every((segment) => segment === null)) return []
    return { handler, pattern, isOfServer: layer === 'initial' }
  })
  const early = entries.flatMap(({ name, initiatorType }) => {
    const url = new URL(name)
    const isOwn = url.origin === location.origin
    const isServed = pages.areServed && isOwn && documentInitiators.has(initiatorType)
    const isCode = isOwn && codeInitiators.has(initiatorType)
    const found = candidates.some(
      ({ handler, pattern, isOfServer }) =>
        !(isServed && isOfServer) &&
        matchPath(pattern, url) !== null &&
        (!isCode || mayAnswerApp(handler, { url, baseUrl }, 'no-cors', pages)),
    )
    return found ? name : []
  })
  if (early.length === 0) return
  print.warn(
    'US0320',
    `Failed to answer requests for ${[...new Set(early)].join(', ')}: they were made before mocking was on, and went to the ` +
      'network. Reload the page: from the second visit on, elements wait. For a script or a style sheet, create the element ' +
      'with code that runs when mocking is on.',
  )
}

let isReported = false

function describeFrame(scope: PageScope): string {
  const { documentPictureInPicture: pictures } = globalThis as { documentPictureInPicture?: { window: Window | null } }
  if (pictures?.window === scope) return 'picture-in-picture window'
  return scope.parent === scope ? 'pop-up' : 'frame'
}

/**
 * Reports once for each page that a request went to the network although a handler could match, because no service
 * worker controlled the frame or the pop-up that made it. A frame that mocks reports this itself.
 *
 * @param frame its window; `null`: there is none, or the page cannot access it
 */
export function watchFrame(frame: Window | null, network: Network): void {
  try {
    const scope = frame as PageScope | null
    if (isReported || !scope || Symbol.for('understudy') in scope) return
    watchBypass(
      network,
      (suspects) => {
        // A response from a cache has no protocol. The timing entry of a request of a controlled frame shows the worker.
        const escaped = (suspects as PerformanceResourceTiming[]).find(({ nextHopProtocol }) => nextHopProtocol !== '')
        if (isReported || !escaped) return
        isReported = true
        print.error(
          'US0315',
          `Failed to answer a request for ${escaped.name}: it came from the ${describeFrame(scope)} ` +
            `${scope.location.href}, which no service worker controlled, and went to the network. If it was made before ` +
            'mocking was on, reload the page. Otherwise, make it from the page, or load the frame or pop-up from a URL of ' +
            'this origin.',
        )
      },
      scope,
    )
  } catch {
    // A page cannot access a frame of another origin.
  }
}
