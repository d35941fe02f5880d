/** The unit tests of MSW that fail here, by the reason. Each entry is a file and the beginning of the tests' names. */
export const differences: Record<string, readonly string[]> = {
  // "Messages" in the guide.
  'other words': [
    'browser/setup-worker.node: returns an error when run in a Node.js environment',
    'core/handlers/GraphQLHandler: info exposes request handler information for',
    'core/handlers/GraphQLHandler: info parses a',
    'core/handlers/GraphQLHandler: info throws an exception given a DocumentNode with a mismatched operation type',
    'core/utils/request/onUnhandledRequest.node: prints with an absolute URL',
    'core/utils/request/onUnhandledRequest: supports the "',
    'core/utils/request/onUnhandledRequest: does not print any suggestions',
    'core/utils/request/onUnhandledRequest: throws an exception given unknown request strategy',
    'core/utils/request/onUnhandledRequest: prints with',
    'graphql/graphql-handler: info exposes request handler information for',
    'graphql/graphql-handler: info parses a',
    'graphql/graphql-handler: info throws an exception given a DocumentNode with a mismatched operation type',
    'ws/ws: throws an error when',
  ],
  // "Statuses" and "Content-Length" in the guide.
  'other responses': [
    'core/HttpResponse: supports non-configurable status codes',
    'core/HttpResponse: HttpResponse.xml() allows overriding',
    'core/HttpResponse: HttpResponse.html()',
    'http/http-response: supports non-configurable status codes',
    'http/http-response: HttpResponse.xml() allows overriding',
    'http/http-response: HttpResponse.html()',
  ],
  // They import a symbol or a function that MSW does not export, or look for the header that marks a request or a response.
  'what MSW does not export': [
    'core/HttpResponse: HttpResponse.text() creates a text response',
    'core/HttpResponse: HttpResponse.json() creates a json response given an object',
    'core/HttpResponse: HttpResponse.xml() creates',
    'core/HttpResponse: HttpResponse.arrayBuffer() creates an array buffer response',
    'core/bypass: returns bypassed request given',
    'core/bypass: allows modifying the bypassed request instance',
    'core/bypass: supports bypassing "keepalive: true" requests',
    'core/handlers/GraphQLHandler: isDocumentNode',
    'core/utils/handleRequest: returns undefined for a request with the "accept: msw/passthrough"',
    'core/utils/matching/matchRequestUrl: coercePath',
    'http/http-response: HttpResponse.text() creates a text response',
    'http/http-response: HttpResponse.json() creates a json response given an object',
    'http/http-response: HttpResponse.xml() creates',
    'http/http-response: HttpResponse.arrayBuffer() creates an array buffer response',
    'graphql/graphql-handler: isDocumentNode',
    'utils/bypass: returns bypassed request given',
    'utils/bypass: allows modifying the bypassed request instance',
    'utils/bypass: supports bypassing "keepalive: true" requests',
    'utils/passthrough: isPassthroughResponse returns true for a passthrough response',
  ],
  'more than MSW has': [
    // Understudy has `graphql.subscription`, `graphql.schema` and, as MSW 2, `graphql.query`.
    'core/graphql: exports supported GraphQL operation types',
    'graphql/graphql: exposes the link-first GraphQL api',
    // "Common assets" in the guide.
    'utils/is-common-asset-request: does not treat unknown extensions as common assets',
    // Data of events has `handler`, and `request:match` comes before a resolver that returns nothing, as with MSW 3.
    'core/utils/handleRequest: returns undefined on a request handler that returns no response',
    'core/utils/handleRequest: returns the mocked response for a request with a matching request handler',
    'core/utils/handleRequest: returns undefined without warning on a passthrough request',
    'core/utils/handleRequest: handler with custom predicate matches if custom predicate returns true',
    // The callback gets the id of the request as well.
    'core/utils/handleRequest: reports request as unhandled when it has no matching request handlers',
    'core/utils/request/onUnhandledRequest: supports a custom callback function',
  ],
  // `print.error()` in a callback prints only, as in `setupServer` of MSW 2 and 3.
  'older than the documented behavior': [
    'core/utils/request/onUnhandledRequest: supports calling default strategies from the custom callback function',
  ],
  // "Classes of handlers" in the guide.
  'classes of handlers': [
    'core/handlers/GraphQLHandler: parse query parses a query without variables',
    'core/handlers/GraphQLHandler: parse mutation',
    'core/handlers/HttpHandler: parse parses a URL and ignores the request method',
    'core/handlers/WebSocketHandler: parse',
    'core/handlers/WebSocketHandler: test',
    'graphql/graphql-handler: parse query parses a query without variables',
    'graphql/graphql-handler: parse mutation',
    'http/http-handler: parse parses a URL and ignores the request method',
    'http/http-handler: predicate returns false given a CONNECT request',
    'ws/websocket-handler: parse',
    'ws/websocket-handler: test',
  ],
}
