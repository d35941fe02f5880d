import { createId } from '../create-id.ts'
import { pageUrl } from '../routing/page-url.ts'
import type { PathParams } from '../routing/path-params.ts'
import { finalizeAfter, Finalizers } from './finalizers.ts'
import { IncomingRequest } from './incoming-request.ts'
import { RequestHandler } from './request-handler.ts'
import { createCall, failResolver, finishResolver, startResolver } from './run-resolver.ts'

/** The arguments of the methods that read a request. */
export interface HandlerCall {
  request: Request
  resolutionContext?: { baseUrl?: string | undefined }
}

/** The arguments of {@link runHandler}. */
export interface HandlerRun extends HandlerCall {
  /** The id of the request. Default: a unique id. */
  requestId?: string
}

/** The result of {@link runHandler} if the handler matches. */
export interface HandlerExecution {
  handler: RequestHandler
  parsedResult: unknown
  request: Request
  requestId: string
  /** `undefined`: the resolver returned nothing. */
  response: Response | undefined
}

/** A handler whose methods decide whether it matches. */
interface HandlerWithMethods extends RequestHandler {
  parse(args: HandlerCall): unknown
  predicate(args: HandlerCall & { parsedResult: unknown }): boolean | Promise<boolean>
}

/** The result of {@link parseRequest}: the members of MSW's result, and the arguments of the resolver. */
export interface ParsedRequest {
  match: { matches: boolean; params: PathParams }
  cookies: Record<string, string>
  /** What the protocol reads: `operationName` and others. */
  [member: string]: unknown
}

/** What the method `parse` of a class that extends the handler's returned last for a request. */
const parsedByMethods = new WeakMap<IncomingRequest, { handler: RequestHandler; parsedResult: unknown }>()

/** Parses a request for a handler. */
export async function parseRequest(handler: RequestHandler, args: HandlerCall): Promise<ParsedRequest> {
  const incoming = receive(args)
  return describe(incoming, await matchByDefinition(handler, incoming))
}

/**
 * Matches a request by the methods of a class that extends the handler's, or of a handler that code has patched.
 *
 * @returns the arguments of the resolver, or `null` if the request does not match
 */
export async function matchByMethods(handler: HandlerWithMethods, incoming: IncomingRequest): Promise<object | null> {
  const resolutionContext = { baseUrl: incoming.baseUrl }
  const parsedResult = await handler.parse({ request: incoming.copy(), resolutionContext })
  parsedByMethods.set(incoming, { handler, parsedResult })
  if (!(await handler.predicate({ request: incoming.copy(), parsedResult, resolutionContext }))) return null
  const own = handler as unknown as ResolverArgsExtension
  if (own.extendResolverArgs) return own.extendResolverArgs({ request: incoming.copy(), parsedResult })
  return (await matchByDefinition(handler, incoming)) ?? { params: {} }
}

/**
 * Returns what a handler that has just matched read from a request, without parsing it a second time.
 *
 * @param extras what {@link RequestHandler.match} returned
 */
export function describeMatch(handler: RequestHandler, incoming: IncomingRequest, extras: object): ParsedRequest {
  const parsed = parsedByMethods.get(incoming)
  return parsed?.handler === handler ? (parsed.parsedResult as ParsedRequest) : describe(incoming, extras)
}

/** The method is protected, as in MSW. */
interface ResolverArgsExtension {
  extendResolverArgs?(args: { request: Request; parsedResult: unknown }): object | Promise<object>
}

/** Matches without the methods that call this one. */
function matchByDefinition(handler: RequestHandler, incoming: IncomingRequest): object | null | Promise<object | null> {
  return RequestHandler.prototype.match.call(handler, incoming)
}

/**
 * Runs a handler outside of a network.
 *
 * @throws what its resolver throws, unless it is a response
 */
export async function runHandler(handler: RequestHandler, args: HandlerRun): Promise<HandlerExecution | null> {
  if (handler.once && handler.isUsed) return null
  const incoming = receive(args)
  const extras = await handler.match(incoming)
  if (!extras) return null
  const finalizers = new Finalizers()
  const call = createCall(handler, incoming, finalizers)
  let result: unknown
  try {
    result = await startResolver(call, extras)
  } catch (thrown) {
    result = failResolver(call, thrown)
  }
  const response = await finishResolver(call, result)
  if (!response) finalizers.run()
  return {
    handler,
    parsedResult: describeMatch(handler, incoming, extras),
    request: args.request,
    requestId: incoming.id,
    response: response && finalizeAfter(response, finalizers),
  }
}

function receive({ request, requestId = createId(), resolutionContext }: HandlerRun): IncomingRequest {
  return new IncomingRequest(request, requestId, undefined, resolutionContext?.baseUrl ?? pageUrl())
}

function describe(incoming: IncomingRequest, extras: object | null): ParsedRequest {
  // MSW's result has the parameters in `match` only, and no `extensions`: tests compare the whole object.
  const { params = {}, extensions: _, ...rest } = (extras ?? {}) as { params?: PathParams; extensions?: object }
  return { ...rest, match: { matches: extras !== null, params }, cookies: incoming.cookies }
}
