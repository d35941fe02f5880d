import type { HandlerCall, HandlerExecution, HandlerRun } from '../handlers/callable-handler.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { runResolver } from '../handlers/run-resolver.ts'
import { pageUrl } from '../routing/page-url.ts'
import { finalizeAfter } from './answer.ts'
import { createInfo } from './ask-handlers.ts'
import { Finalizers } from './finalizers.ts'
import { IncomingRequest } from './incoming-request.ts'

/** What {@link parseRequest} returns: as MSW's handlers do, and what the resolver would be told. */
interface ParsedRequest {
  match: { matches: boolean; params: object }
  cookies: Record<string, string>
}

/** What a handler knows of a request. */
export async function parseRequest(handler: RequestHandler, args: HandlerCall): Promise<ParsedRequest> {
  const incoming = receive(args)
  return describe(incoming, await handler.match(incoming))
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
  const response = await runResolver(handler, createInfo(incoming, extras), finalizers)
  if (!response) finalizers.run()
  return {
    handler,
    parsedResult: describe(incoming, extras),
    request: args.request,
    requestId: incoming.id,
    response: response && finalizeAfter(response, finalizers),
  }
}

function receive({ request, requestId = crypto.randomUUID(), resolutionContext }: HandlerRun): IncomingRequest {
  return new IncomingRequest(request, requestId, undefined, resolutionContext?.baseUrl ?? pageUrl())
}

function describe(incoming: IncomingRequest, extras: object | null): ParsedRequest {
  const { params = {} } = (extras ?? {}) as { params?: object }
  return { ...extras, match: { matches: extras !== null, params }, cookies: incoming.cookies }
}
