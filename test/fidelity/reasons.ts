/** A remaining difference from a real server, with the reason. */
export interface Reason {
  /** The start of the names of its probes. */
  readonly probes: readonly string[]
  readonly browser?: 'Chromium' | 'Firefox'
  readonly mode?: Mode
  readonly reason: string
}

export type Mode = 'service worker' | 'page'

export const reasons: readonly Reason[] = [
  {
    probes: ['WebSocket: the app closes without a code'],
    reason: 'MSW closes with the code 1000, which tests written for it expect. A server closes with 1005.',
  },
  {
    probes: ['fetch: upload of a stream'],
    browser: 'Chromium',
    reason: 'Chromium streams uploads only over HTTP/2 and newer, and fails over HTTP/1.1. A mock has no such limit.',
  },
  {
    probes: ['fetch: cache "only-if-cached"'],
    reason: 'A handler answers every request that it matches. A cache without an entry would fail.',
  },
  {
    probes: ['resource timing', 'Server-Timing'],
    mode: 'service worker',
    reason: 'The browser reports no protocol for a response of a service worker.',
  },
  {
    probes: ['resource timing', 'Server-Timing'],
    mode: 'page',
    reason: 'The browser records no request, because no request is sent.',
  },
  {
    probes: ['XHR: upload'],
    browser: 'Chromium',
    mode: 'service worker',
    reason: 'Chromium reports no progress for an upload to a service worker.',
  },
  {
    probes: ['XHR: a body that breaks off'],
    browser: 'Chromium',
    mode: 'service worker',
    reason: 'Chromium fires `abort` if the body of a service worker’s response is truncated.',
  },
  {
    probes: ['XHR: synchronous'],
    reason: 'A blocked page cannot run a handler. The request goes to the network.',
  },
  {
    probes: ['fetch: status 204', 'fetch: status 205', 'fetch: status 304'],
    mode: 'page',
    reason: 'For a network response, the browser creates an empty body, although the Fetch standard requires `null`.',
  },
  {
    probes: ['fetch: HEAD'],
    browser: 'Chromium',
    mode: 'page',
    reason: 'For a network response, Chromium creates an empty body, although the Fetch standard requires `null`.',
  },
  {
    probes: ['fetch: a body that breaks off'],
    browser: 'Firefox',
    reason: 'Firefox reports another error if the stream of a constructed response is truncated.',
  },
  {
    probes: ['XHR: a body that breaks off'],
    browser: 'Firefox',
    mode: 'service worker',
    reason: 'Firefox exposes the received part, and no URL.',
  },
  {
    probes: ['XHR: a body that breaks off', 'XHR: time-out'],
    browser: 'Firefox',
    mode: 'page',
    reason: 'Firefox keeps the URL of a failed request, although the XMLHttpRequest standard clears it.',
  },
  {
    probes: ['XHR: upload'],
    browser: 'Firefox',
    mode: 'service worker',
    reason: 'Firefox reports the end of an upload to a service worker, but no progress.',
  },
  {
    probes: ['XHR: HEAD'],
    browser: 'Firefox',
    mode: 'page',
    reason: 'Firefox ignores the length of a body that it does not receive.',
  },
  {
    probes: ['img', 'video', 'script', 'link', 'import()'],
    mode: 'page',
    reason: 'Requests from elements and modules bypass the page’s scripts. Only a service worker sees them.',
  },
]
