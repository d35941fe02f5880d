import { FetchEventSource, toHeaderValue } from './fetch-event-source.ts'
import { brokenStreams } from './open-streams.ts'

/** Creates a class like the platform's `EventSource`, which sends its requests with a `fetch`. */
export function createEventSourceClass(fetch: typeof globalThis.fetch): typeof globalThis.EventSource {
  return class EventSource extends FetchEventSource {
    constructor(url: string | URL, init?: EventSourceInit | null) {
      const resolved = resolve(url)
      // As the platform converts a dictionary: it may be `null`.
      const withCredentials = Boolean(init?.withCredentials)
      super({
        url: resolved,
        withCredentials,
        countBroken: () => brokenStreams.get(resolved.replace(/#.*/, '')),
        request: (lastEventId, signal) =>
          fetch(resolved, {
            headers: {
              Accept: 'text/event-stream',
              ...(lastEventId !== '' && { 'Last-Event-ID': toHeaderValue(lastEventId) }),
            },
            credentials: withCredentials ? 'include' : 'same-origin',
            cache: 'no-store',
            signal,
          }),
      })
    }

    get [Symbol.toStringTag](): string {
      return 'EventSource'
    }
  }
}

function resolve(url: string | URL): string {
  try {
    return new URL(url, (globalThis as { document?: { baseURI: string } }).document?.baseURI).href
  } catch {
    throw new DOMException(
      `Failed to construct 'EventSource': Cannot open an EventSource to '${String(url)}'. The URL is invalid.`,
      'SyntaxError',
    )
  }
}
