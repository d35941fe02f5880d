/** What tests each row of the table "What differs" in the migration guide. `test/docs/guide-rows.test.ts` finds others. */

/** The scenarios with different outcomes, by their row in the guide. */
export const differences: Record<string, readonly string[]> = {
  'Events of requests that fail': ['events of a request that fails as unhandled', 'events of a resolver that throws'],
  '`request:match`': ['events of a request that two handlers match', 'request:match and the resolver'],
  'A listener that throws': ['a listener that throws'],
  'A listener that reads a body': ['listeners read bodies that resolver and client read as well'],
  '`finalize`': ['finalize runs before the client has read the response'],
  '`onUnhandledRequest` throws': ['strategy throws', 'strategy rejects'],
  'An unknown strategy': ['an unknown strategy'],
  'A handler without a resolver': ['a handler without a resolver'],
  '`listen()` of a server that listens': ['listen twice'],
  'Lists of handlers': ['setupServer with an array'],
  '`listHandlers()`': ['a list of handlers'],
  '`info.callFrame` of a handler': ['where a handler was created'],
  'Several servers': ['two servers, the later one first'],
  '`getResponse()`': ['getResponse'],
  '`Content-Length`': ['xml', 'html'],
  Statuses: ['status 600'],
  'A resolver returns no response, and no other handler answers': ['a handler that returns nothing is handled'],
  'A resolver that throws': ['the status text of a thrown error'],
  'Mistakes in a resolver': ['a returned object that is not a response', 'one response for every request'],
  'The request': ['the request in a resolver', 'the Cookie header in a resolver'],
  'Events before `client.error()` of an event stream': [
    'EventSource and a stream that fails: first',
    'EventSource and a stream that fails: afterMessage',
  ],
  'Cookies by `credentials`': ['cookies of a response, by credentials'],
  'Network errors': ['node:http and a network error'],
  'Text of event streams': ['server-sent events', 'the response to fetch'],
  '`EventSource` in Node': [
    'messages',
    'messages that come later',
    'client.close() ends the stream',
    'parameters, cookies and the request',
    'several lines',
    'dispatchEvent',
  ],
  Paths: [
    'an optional parameter before other segments',
    'a path with a default port',
    'a relative path without location',
  ],
  'Regular expressions': ['paths that are regular expressions'],
  'A body that is aborted while it is read': ['an abort while the body is read'],
  'A WebSocket listener that throws': ['a message listener that throws'],
  '`link.clients` in the connection listener': ['a broadcast in the connection listener'],
  'Closing a WebSocket': ['client.close()', 'client.close() with a code', 'client.close() after a message'],
  'Unhandled WebSockets': ['an unhandled connection, strategy error'],
  'Binary messages': ['binary messages'],
  '`document.cookie`': [
    'document.cookie, another origin, credentials: include',
    'document.cookie, another origin, credentials: same-origin',
  ],
  Messages: ['quiet: false'],
}

/** The rows that a comparison in Node cannot test, with the file that tests Understudy's behavior. */
export const testedElsewhere: Record<string, string> = {
  'WebSockets in Node': 'packages/engine/src/node/sockets/mocked-web-socket.node.test.ts',
  'Modules, scripts, style sheets and web workers of the app': 'test/acceptance/app-code.ts',
  'Statuses 204, 205 and 304': 'packages/engine/src/rest/rest-response.test.ts',
  'Classes of handlers': 'packages/engine/src/http/http-handler.node.test.ts',
  'Classes that extend `RequestHandler`': 'packages/engine/src/core/handlers/custom-handler.test.ts',
  'React Native': 'sandboxes/react-native/test/native.test.ts',
  '`delay(NaN)`, for example `delay(Number(process.env.DELAY))` without that variable':
    'packages/engine/src/core/responses/delay.test.ts',
  undici: 'packages/engine/src/node/sockets/mocked-response.node.test.ts',
  '`getResponse()` and `passthrough()`': 'packages/engine/src/core/network/get-response.test.ts',
  'A generator that throws a response': 'packages/engine/src/core/handlers/run-resolver.test.ts',
  'Types of responses': 'packages/engine/src/core/responses/responses.test-d.ts',
  'Common assets': 'packages/engine/src/core/unhandled/is-common-asset-request.test.ts',
}

/** The rows whose scenarios equal one of the two versions of MSW. */
export const equalToOne = ['`HEAD`', "Unhandled requests and `'error'`", '`waitUntilReady`']

/** The rows without a test. */
export const untested = [
  '`x-powered-by: msw`',
  '`worker.start()` without service workers',
  'Requirements',
  '`defineNetwork` and sources',
]
