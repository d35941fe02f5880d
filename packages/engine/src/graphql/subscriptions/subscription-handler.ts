import type { CallSiteReader } from '../../core/call-site.ts'
import { print } from '../../core/failure.ts'
import { Finalizers } from '../../core/handlers/finalizers.ts'
import type {
  AnyResolver,
  HandlerOptions,
  ResolverInfo,
  ResponseResolverReturnType,
} from '../../core/handlers/request-handler.ts'
import { isResponse } from '../../core/handlers/run-resolver.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { bypass } from '../../core/responses/bypass.ts'
import type { Endpoint } from '../endpoint.ts'
import { checkResolver, createGraphQLHandler, nameHandler, type GraphQLHandler } from '../graphql-handler.ts'
import type { GraphQLResolverExtras, GraphQLResponseBody } from '../graphql-resolver.ts'
import type { OperationMatcher } from '../operation-predicate.ts'
import { readResults } from '../response/read-results.ts'
import { chooseResultFormat } from '../response/result-format.ts'
import { createResultStream } from '../response/result-stream.ts'
import { transportOf } from './operation-transport.ts'
import { isIterable, publishAll } from './publish-all.ts'
import type { SubscribedOperation } from './subscribed-operation.ts'
import { GraphQLSubscription } from './subscription.ts'
import { withWebSocketSide } from './web-socket-side.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** The arguments of a subscription's resolver. */
export type GraphQLSubscriptionResolverInfo<Data, Variables> = ResolverInfo &
  GraphQLResolverExtras<Variables> & {
    /** Sends results to the client. */
    subscription: GraphQLSubscription<Data, Variables>
  }

/**
 * Answers a subscription: publishes results through `subscription` while the client listens, or returns an iterable of
 * results (for example a generator), whose end completes the subscription. A returned response is sent unchanged.
 */
export type GraphQLSubscriptionResolver<Data, Variables> = (
  info: GraphQLSubscriptionResolverInfo<Data, Variables>,
) => MaybePromise<
  | ResponseResolverReturnType<GraphQLResponseBody<Data>>
  | Iterable<GraphQLResponseBody<Data>>
  | AsyncIterable<GraphQLResponseBody<Data>>
>

/** The parts of a handler of subscriptions. */
export interface SubscriptionHandlerDefinition {
  readonly matcher: OperationMatcher
  readonly endpoint: Endpoint
  readonly resolver: AnyResolver
  readonly options: HandlerOptions
  readonly callSite: CallSiteReader
}

/**
 * Creates a handler of subscriptions.
 *
 * @throws {UnderstudyError} if the resolver is not a function
 */
export function createSubscriptionHandler({
  matcher,
  endpoint,
  resolver,
  options,
  callSite,
}: SubscriptionHandlerDefinition): GraphQLHandler {
  const header = nameHandler('subscription', matcher, endpoint)
  checkResolver(header, resolver)
  const call = resolver as unknown as AnySubscriptionResolver
  const handler = createGraphQLHandler({
    type: 'subscription',
    matcher,
    endpoint,
    resolver: (info: SubscriptionInfo) => answerSubscription(call, info, header),
    options,
    callSite,
  })
  return withWebSocketSide(handler, endpoint)
}

type SubscriptionInfo = ResolverInfo & GraphQLResolverExtras<object>
type AnySubscriptionResolver = (info: GraphQLSubscriptionResolverInfo<unknown, object>) => unknown

async function answerSubscription(
  resolver: AnySubscriptionResolver,
  info: SubscriptionInfo,
  header: string,
): Promise<Response> {
  const stream = createResultStream(chooseResultFormat(info.request.headers.get('accept')))
  const { promise: used, resolve: onUse } = Promise.withResolvers<typeof isStreaming>()
  const report = (error: unknown): void => {
    print.error(
      'US0520',
      `Failed to publish to a subscription: the handler ${header} threw. The subscription ends. See the error.`,
      error,
    )
    stream.write({ type: 'error', payload: [{ message: toError(error).message }] })
  }
  const use = (): void => onUse(isStreaming)
  const subscription = new GraphQLSubscription<unknown, object>(toOperation(info), stream, use, report)
  // The resolver may publish at once and run for hours, or fail after a while. Wait for the first of these events.
  const finalizers = new Finalizers()
  // A generator starts when its first result is read, after the response was sent.
  info.finalize(() => finalizers.run())
  const finalize = (cleanup: () => unknown): void => finalizers.add(cleanup)
  const result = (async () => resolver({ ...info, subscription, finalize }))()
  const first = await Promise.race([result, used])
  if (isResponse(first)) return first
  const { operationName, query, variables } = info as SubscriptionInfo & GraphQLResolverExtras<Record<string, unknown>>
  transportOf(info)?.onAnswered({ operationName, query, variables })
  void result.then((value) => (isIterable(value) ? publishAll(value, stream) : undefined)).catch(report)
  return stream.response
}

const isStreaming: unique symbol = Symbol('streaming') as never

function toOperation(info: SubscriptionInfo): SubscribedOperation<object> {
  const { operationName, query, variables, extensions, request, requestId } = info
  const transport = transportOf(info) ?? { id: requestId, perform: performLater(request.clone()) }
  return {
    id: transport.id,
    operationName,
    query,
    variables,
    extensions,
    perform: (signal) => transport.perform(signal),
  }
}

/** Returns a function that sends a request to the server when it is called. */
function performLater(request: Request): SubscribedOperation<object>['perform'] {
  return async function* perform(signal) {
    yield* readResults(await fetch(bypass(request), { signal }), signal)
  }
}
