import { createAbortController } from '../core/abort-controller.ts'
import { captureCallSite, nameHandler } from '../core/call-site.ts'
import { print } from '../core/failure.ts'
import { createInstance } from '../core/handlers/callable-handler.ts'
import type { ResolverInfo } from '../core/handlers/request-handler.ts'
import { isResponse } from '../core/handlers/run-resolver.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import type { OpenParamsOf, PathParams } from '../core/routing/path-params.ts'
import type { Path } from '../core/routing/path-pattern.ts'
import { HttpHandler } from '../http/http-handler.ts'
import { warnOfSearch } from '../http/search-warning.ts'
import { ServerSentEventClient } from './event-stream-client.ts'
import { ServerSentEventServer } from './event-stream-server.ts'
import { brokenStreams, openStreams } from './open-streams.ts'

/** The arguments of an event stream's resolver in addition to {@link ResolverInfo}. */
export interface ServerSentEventResolverExtras<EventMap extends object, Params> {
  params: Params
  /** The client that requested the stream. */
  client: ServerSentEventClient<EventMap>
  /** The real server. No request is sent to it until `server.connect()`. */
  server: ServerSentEventServer
}

/**
 * Sends the events of a stream. The request's signal aborts when the client leaves. If the resolver throws or returns a
 * response before the first event, the result is the same as with `http`.
 */
export type ServerSentEventResolver<EventMap extends object = { message: unknown }, Params = PathParams> = (
  info: ResolverInfo & ServerSentEventResolverExtras<EventMap, Params>,
) => Response | undefined | void | Promise<Response | undefined | void>

/** The signatures of {@link sse}. */
export interface ServerSentEventRequestHandler {
  /** Infers the parameters from the path. */
  <const PathText extends string>(
    path: PathText,
    resolver: ServerSentEventResolver<{ message: unknown }, OpenParamsOf<PathText>>,
  ): HttpHandler
  /** The caller declares the types of events. */
  <EventMap extends object = { message: unknown }, Params extends PathParams<keyof Params> = PathParams>(
    path: Path,
    resolver: ServerSentEventResolver<EventMap, Params>,
  ): HttpHandler
}

/**
 * Answers `GET` requests that accept an event stream: those of an `EventSource`, and any other.
 * The response starts when something is sent or the resolver has returned. It stays open until it is closed.
 *
 * @param path as in `http.get`
 * @throws {UnderstudyError} if the path is not valid or the resolver is not a function
 * @example
 * sse<{ message: string; joined: User }>('/events', ({ client, request }) => {
 *   client.send({ data: 'hello' })
 *   const timer = setInterval(() => client.send({ event: 'joined', data: createUser() }), 1000)
 *   request.signal.addEventListener('abort', () => clearInterval(timer))
 * })
 */
export const sse: ServerSentEventRequestHandler = createSseHandler

/** A resolver as the engine calls it. The factory has checked the types. */
type AnyResolver = (info: never) => unknown

function createSseHandler(path: Path, resolver: AnyResolver): HttpHandler {
  const callSite = captureCallSite(createSseHandler)
  const base = new HttpHandler('GET', path, resolver, {}, callSite)
  const handler: HttpHandler = createInstance(HttpHandler, {
    header: `SSE ${String(path)}`,
    details: { method: 'GET', path, query: undefined },
    callSite,
    options: {},
    resolver: (info: ResolverInfo) => answer(info, resolver, () => nameHandler(handler)),
    route: (baseUrl) => ({ ...base.route(baseUrl), exact: false }),
    match: (incoming) => (acceptsEvents(incoming.request) ? base.match(incoming) : null),
    explainMismatch(incoming, explain) {
      const mismatch = base.explainMismatch(incoming, explain)
      if (mismatch !== 'matches' || acceptsEvents(incoming.request)) return mismatch
      return { distance: 1, difference: 'path matches, but the request does not accept text/event-stream' }
    },
  })
  warnOfSearch(handler, (shortPath) => `Write sse('${shortPath}', ({ url }) => …) and url.searchParams.get(…).`)
  return handler
}

function acceptsEvents({ headers }: Request): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(headers.get('accept') ?? '')
}

async function answer(info: ResolverInfo, resolver: AnyResolver, name: () => string): Promise<Response> {
  const gone = createAbortController()
  const client = new ServerSentEventClient(
    () => gone.abort(),
    () => {
      const url = info.request.url.replace(/#.*/, '')
      brokenStreams.set(url, (brokenStreams.get(url) ?? 0) + 1)
    },
  )
  const request = withSignal(info.request, gone.signal)
  const server = new ServerSentEventServer(request, client)
  const leave = (): void => gone.abort(info.request.signal.reason)
  if (info.request.signal.aborted) leave()
  else info.request.signal.addEventListener('abort', leave, { once: true })
  openStreams.set(info.requestId, client)
  info.finalize(() => {
    server['~close']()
    openStreams.delete(info.requestId)
  })
  gone.signal.addEventListener('abort', () => client.close())

  const running = (async () => resolver({ ...info, request, client, server } as never))()
  const first = await Promise.race([running, client['~begun']])
  if (isResponse(first)) {
    client.close()
    return first
  }
  running.catch((error: unknown) => {
    if (gone.signal.aborted) return
    print.error(
      'US0620',
      `Failed to send events: the handler ${name()} threw. Its event stream ends with an error. See the error.`,
      error,
    )
    client.error()
  })
  if (client['~isRefused']) return HttpResponse.error()
  return new HttpResponse(client['~body'], {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  })
}

/** Returns the request with a signal that aborts when the client leaves, which the stream detects first. */
function withSignal<Kind extends Request>(request: Kind, signal: AbortSignal): Kind {
  return Object.defineProperty(request.clone() as Kind, 'signal', { value: signal })
}
