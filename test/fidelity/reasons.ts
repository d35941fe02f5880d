/** A difference from a real server that remains, and why. */
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
    probes: ['fetch: upload of a stream'],
    browser: 'Chromium',
    reason: 'Chromium streams to HTTP/2 and newer only, and fails over HTTP/1.1. A mock has no such limit.',
  },
  {
    probes: ['fetch: cache "only-if-cached"'],
    reason: 'A handler answers every request that it matches. It is not a cache, which would fail here.',
  },
  {
    probes: ['resource timing', 'Server-Timing'],
    mode: 'service worker',
    reason: 'The browser names no protocol for a response of a service worker.',
  },
  {
    probes: ['resource timing', 'Server-Timing'],
    mode: 'page',
    reason: 'The browser notes no request, because none is made.',
  },
  {
    probes: ['XHR: upload'],
    browser: 'Chromium',
    mode: 'service worker',
    reason: 'Chromium tells no progress of an upload that a service worker receives.',
  },
  {
    probes: ['XHR: a body that breaks off'],
    browser: 'Chromium',
    mode: 'service worker',
    reason: 'Chromium says `abort` where the body of a service worker’s response breaks off.',
  },
  {
    probes: ['XHR: synchronous'],
    reason: 'A page that waits cannot run a handler. The request goes to the network, with a warning.',
  },
  {
    probes: ['fetch: status 204', 'fetch: status 205', 'fetch: status 304'],
    mode: 'page',
    reason: 'The browser gives such a response of the network an empty body, where the Fetch standard says `null`.',
  },
  {
    probes: ['fetch: HEAD'],
    browser: 'Chromium',
    mode: 'page',
    reason: 'Chromium gives such a response of the network an empty body, where the Fetch standard says `null`.',
  },
  {
    probes: ['fetch: a body that breaks off'],
    browser: 'Firefox',
    reason: 'Firefox names another error where the stream of a constructed response breaks off.',
  },
  {
    probes: ['XHR: a body that breaks off'],
    browser: 'Firefox',
    mode: 'service worker',
    reason: 'Firefox shows the part that came, and no URL.',
  },
  {
    probes: ['XHR: a body that breaks off', 'XHR: time-out'],
    browser: 'Firefox',
    mode: 'page',
    reason: 'Firefox keeps the URL of a request that failed, where the XMLHttpRequest standard clears it.',
  },
  {
    probes: ['XHR: upload'],
    browser: 'Firefox',
    mode: 'service worker',
    reason: 'Firefox tells the end of an upload that a service worker receives, and no progress.',
  },
  {
    probes: ['XHR: HEAD'],
    browser: 'Firefox',
    mode: 'page',
    reason: 'Firefox ignores the length of a body that it does not get.',
  },
  {
    probes: ['img', 'video', 'script', 'link', 'import()'],
    mode: 'page',
    reason: 'Elements and modules request past the page’s scripts. Only a service worker sees them.',
  },
]
