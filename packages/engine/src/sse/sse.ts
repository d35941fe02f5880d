import { createAbortController } from '../core/abort-controller.ts'
import { captureCallSite } from '../core/call-site.ts'
import { print } from '../core/failure.ts'
import { CallableHandler } from '../core/handlers/callable-handler.ts'
import type { ResolverInfo } from '../core/handlers/request-handler.ts'
import { isResponse } from '../core/handlers/run-resolver.ts'
import { nameHandler } from '../core/network/answer.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import type { Path } from '../core/routing/match-request-url.ts'
import { HttpHandler, type HttpHandlerInfo } from '../http/http-handler.ts'
import type { OpenParamsOf, PathParams } from '../http/path-params.ts'
import { warnOfSearch } from '../http/search-warning.ts'
import { ServerSentEventClient } from './event-stream-client.ts'
import { ServerSentEventServer } from './event-stream-server.ts'

/** What a resolver of an event stream is told besides {@link ResolverInfo}. */
export interface ServerSentEventResolverExtras<EventMap extends object, Params> {
  params: Params
  /** Whoever asked for the stream. */
  client: ServerSentEventClient<EventMap>
  /** The real server, which nothing reaches until `server.connect()`. */
  server: ServerSentEventServer
}

/**
 * Runs a stream. The request's signal is aborted when whoever asked for the stream is gone.
 * What is thrown, or a response that is returned, before anything was sent, is the answer; as with `http`.
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
  /** Takes the types of events from the caller. */
  <EventMap extends object = { message: unknown }, Params extends PathParams<keyof Params> = PathParams>(
    path: Path,
    resolver: ServerSentEventResolver<EventMap, Params>,
  ): HttpHandler
}

/**
 * Answers `GET` requests that accept an event stream: those of an `EventSource`, and any other.
 * The stream begins with the first thing that is sent, or when the resolver has returned; it stays open until it is closed.
 *
 * @param path as of `http.get`
 * @throws for a path or a resolver that is none
 * @example
 * sse<{ message: string; joined: User }>('/events', ({ client, request }) => {
 *   client.send({ data: 'hello' })
 *   const timer = setInterval(() => client.send({ event: 'joined', data: createUser() }), 1000)
 *   request.signal.addEventListener('abort', () => clearInterval(timer))
 * })
 */
export const sse: ServerSentEventRequestHandler = createSseHandler

/** A resolver as the engine calls it; the types were checked before. */
type AnyResolver = (info: never) => unknown

function createSseHandler(path: Path, resolver: AnyResolver): HttpHandler {
  const callSite = captureCallSite(createSseHandler)
  const base = new HttpHandler('GET', path, resolver, {}, callSite)
  const handler: HttpHandler = new CallableHandler<HttpHandlerInfo>({
    header: `SSE ${String(path)}`,
    details: { method: 'GET', path, query: undefined },
    callSite,
    options: {},
    resolver: (info: ResolverInfo) => answer(info, resolver, () => nameHandler(handler)),
    route: (baseUrl) => ({ ...base.route(baseUrl), exact: false }),
    match: (incoming) => (acceptsEvents(incoming.request) ? base.match(incoming) : null),
    explainMiss(incoming, explain) {
      const miss = base.explainMiss(incoming, explain)
      if (miss !== 'matches' || acceptsEvents(incoming.request)) return miss
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
  const client = new ServerSentEventClient(() => gone.abort())
  const request = withSignal(info.request, gone.signal)
  const server = new ServerSentEventServer(request, client)
  const leave = (): void => gone.abort(info.request.signal.reason)
  if (info.request.signal.aborted) leave()
  else info.request.signal.addEventListener('abort', leave, { once: true })
  info.finalize(() => server['~close']())
  gone.signal.addEventListener('abort', () => client.close())

  const running = (async () => resolver({ ...info, request, client, server } as never))()
  const first = await Promise.race([running, client['~begun']])
  if (isResponse(first)) {
    client.close()
    return first
  }
  running.catch((error: unknown) => {
    if (gone.signal.aborted) return
    print.error(`The handler ${name()} threw while its event stream was under way, which breaks off. The error:`, error)
    client.error()
  })
  if (client['~isRefused']) return HttpResponse.error()
  return new HttpResponse(client['~body'], {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  })
}

/** The request, whose signal is aborted when whoever made it is gone: from its stream that shows first. */
function withSignal<Kind extends Request>(request: Kind, signal: AbortSignal): Kind {
  return Object.defineProperty(request.clone() as Kind, 'signal', { value: signal })
}
