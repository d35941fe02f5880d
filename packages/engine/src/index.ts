export { http } from './http/http.ts'
export type { Http, HttpHandlerFactory } from './http/http.ts'
export type { HttpRequestResolverExtras, HttpResponseResolver } from './http/http-resolver.ts'
export { HttpMethods } from './http/http-methods.ts'
export type { QueryParamsOf, QueryPattern, QueryValue } from './http/query-pattern.ts'
export { typedHttp } from './http/typed-http.ts'
export type { TypedHttp, TypedHttpHandlerFactory, TypedHttpOptions } from './http/typed-http.ts'
export { HttpHandler } from './http/http-handler.ts'
export type {
  HttpHandlerDetails,
  HttpHandlerInfo,
  HttpHandlerOptions,
  HttpPredicate,
  HttpPredicateResult,
} from './http/http-handler.ts'
export type { ParamsOf, PathParams } from './core/routing/path-params.ts'

export { rest } from './rest/rest.ts'
export type { RestHandler, RestHandlerFactory, RestRequest, RestResolver } from './rest/rest.ts'
export { context } from './msw1/contexts.ts'
export type { DefaultContext, GraphQLContext, RestContext } from './msw1/contexts.ts'
export { compose, createResponseComposition } from './msw1/response-composition.ts'
export type { ResponseComposition, ResponseFunction, ResponseTransformer } from './msw1/response-composition.ts'
export type { MockedRequest } from './msw1/mocked-request.ts'
export type { MockedResponse } from './msw1/mocked-response.ts'
export type { ResponseResolver, ResponseResolverInfo } from './msw1/response-resolver.ts'

export { ws } from './ws/ws.ts'
export type {
  WebSocketEventListener,
  WebSocketHandlerConnection,
  WebSocketLink,
  WebSocketLinkOptions,
  Ws,
} from './ws/ws.ts'
export { WebSocketHandler } from './ws/web-socket-handler.ts'
export type { WebSocketClient, WebSocketClientEvents } from './ws/web-socket-client.ts'
export type { WebSocketServer, WebSocketServerEvents } from './ws/web-socket-server.ts'
export type { WebSocketCloseEvent } from './ws/connection-event.ts'
export type { WebSocketConnectionInfo } from './ws/connection-info.ts'
export type { WebSocketData } from './ws/message-data.ts'
export type { AnyExtension, ExtensionContext, ExtensionResult, WebSocketExtension } from './ws/extension.ts'

export { sse } from './sse/sse.ts'
export type {
  ServerSentEventRequestHandler,
  ServerSentEventResolver,
  ServerSentEventResolverExtras,
} from './sse/sse.ts'
export type { ServerSentEventClient } from './sse/event-stream-client.ts'
export type { ServerSentEventServer } from './sse/event-stream-server.ts'
export type { ServerSentEventMessage } from './sse/server-sent-event.ts'

export { graphql } from './graphql/graphql.ts'
export type {
  GraphQLHandlerFactory,
  GraphQLLink,
  GraphQLOperationHandlerFactory,
  GraphQLSchemaHandlerFactory,
  GraphQLSubscriptionHandlerFactory,
} from './graphql/graphql.ts'
export type { GraphQLDocument, GraphQLTypedDocument } from './graphql/document/graphql-document.ts'
export type { GraphQLOperationType } from './graphql/document/read-operations.ts'
export type { GraphQLLinkOptions } from './graphql/endpoint.ts'
export { GraphQLHandler } from './graphql/graphql-handler.ts'
export type { GraphQLHandlerDetails, GraphQLHandlerInfo } from './graphql/graphql-handler.ts'
export type {
  GraphQLQuery,
  GraphQLResolverExtras,
  GraphQLResponseBody,
  GraphQLResponseResolver,
  GraphQLResultError,
  GraphQLVariables,
} from './graphql/graphql-resolver.ts'
export type { GraphQLCustomPredicate, GraphQLPredicate } from './graphql/operation-predicate.ts'
export type { PersistedDocuments } from './graphql/request/persisted-documents.ts'
export type { GraphQLSchemaObject, GraphQLSchemaSource } from './graphql/schema/schema-source.ts'
export type { GraphQLContextInfo, GraphQLSchemaOptions } from './graphql/schema/schema-handler.ts'
export type { GraphQLFieldResolver, GraphQLResolvers, GraphQLTypeResolvers } from './graphql/schema/schema-resolvers.ts'
export type { GraphQLSubscription } from './graphql/subscriptions/subscription.ts'
export type {
  GraphQLSubscriptionResolver,
  GraphQLSubscriptionResolverInfo,
} from './graphql/subscriptions/subscription-handler.ts'

export { HttpResponse } from './core/responses/http-response.ts'
export type { DefaultBodyType, HttpResponseInit, JsonBodyType, PlainResponse } from './core/responses/http-response.ts'
export type { NetworkErrorCode, NetworkErrorInit, NetworkFault } from './core/responses/network-error.ts'
export { delay, type DelayMode } from './core/responses/delay.ts'
export { passthrough, isPassthroughResponse } from './core/responses/passthrough.ts'
export { bypass } from './core/responses/bypass.ts'

export type { HandlersState, HandlersStatePart } from './core/network/handlers-state.ts'
export { getResponse } from './core/network/get-response.ts'
export { isCommonAssetRequest } from './core/unhandled/is-common-asset-request.ts'
export { matchRequestUrl, type Match } from './core/routing/match-request-url.ts'
export type { Path } from './core/routing/path-pattern.ts'
export { cleanUrl } from './core/routing/clean-url.ts'

export { RequestHandler } from './core/handlers/custom-handler.ts'
export type { HandlerCall, HandlerExecution, HandlerRun } from './core/handlers/run-handler.ts'
export type { CustomHandlerArguments, CustomHandlerRequest } from './core/handlers/custom-handler.ts'
export type {
  AsyncResponseResolverReturnType,
  Handler,
  HandlerInfo,
  HandlerOptions,
  ResolverInfo,
  ResponseResolverReturnType,
  StrictRequest,
} from './core/handlers/request-handler.ts'
export type { HandlersInput } from './core/handlers/check-handlers.ts'
export type { HandlerGroups, HandlersExport } from './core/handlers/pick-handlers.ts'
export type { CallSite } from './core/call-site.ts'
export type {
  LifeCycleEmitter,
  LifeCycleEvent,
  LifeCycleEventName,
  LifeCycleEvents,
  LifeCycleListener,
  LifeCycleListenerOptions,
} from './core/network/life-cycle-events.ts'
export type {
  UnhandledFrameCallback,
  UnhandledFrameOption,
  UnhandledOptions,
  UnhandledRequestCallback,
  UnhandledRequestOption,
  UnhandledRequestPrint,
} from './core/unhandled/unhandled-request.ts'

// MSW's names for the same exports. docs/migrating-from-msw.md lists them, and the names that are missing.
export { HttpMethods as RESTMethods } from './http/http-methods.ts'
export { cleanUrl as getCleanUrlString } from './core/routing/clean-url.ts'
export type { HttpHandlerFactory as HttpRequestHandler } from './http/http.ts'
export type { HttpPredicate as HttpCustomPredicate } from './http/http-handler.ts'
export type { FormRecord as DefaultRequestMultipartBody } from './msw1/parse-body.ts'
export type { Handler as AnyHandler, HandlerOptions as RequestHandlerOptions } from './core/handlers/request-handler.ts'
export type {
  GraphQLHandlerFactory as GraphQLRequestHandler,
  GraphQLLink as GraphQLLinkHandlers,
  GraphQLOperationHandlerFactory as GraphQLOperationHandler,
} from './graphql/graphql.ts'
export type { GraphQLMockedRequest as GraphQLRequest } from './graphql/graphql-resolver.ts'
export type { LifeCycleEventsMap } from './core/network/life-cycle-events.ts'
export type { HttpResponse as StrictResponse } from './core/responses/http-response.ts'
export type {
  UnhandledFrameOption as UnhandledFrameHandle,
  UnhandledOptions as SharedOptions,
  UnhandledRequestOption as UnhandledRequestStrategy,
  UnhandledRequestStrategy as UnhandledFrameStrategy,
} from './core/unhandled/unhandled-request.ts'
