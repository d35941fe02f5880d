import { print } from '../../core/failure.ts'
import { later } from '../../core/real-time.ts'
import { withFacts } from '../in-page/in-page-response.ts'
import { untilAsked } from '../service-worker/foreign-worker.ts'
import { patchMethod } from './patch-method.ts'

/** A mocked body that this page has sent to the service worker. */
interface SentBody {
  readonly method: string
  /** The URL of the request, without a fragment. */
  readonly url: string
  /** The life of the worker that sends the body to the client. See {@link beginLife}. */
  readonly life: number
  /** The number of bytes that were sent. */
  sent: number
  /** Whether the handler has ended the body. */
  hasEnded: boolean
  /** Whether the browser ended the worker before the body was complete. */
  isCut: boolean
  /** Ends the source of a stream. */
  readonly cancel: (reason: unknown) => void
}

/** The maximum number of bodies that are remembered. */
const limit = 1000

/** How long a body is remembered after the worker was ended, in milliseconds. */
const probeTimeOut = 10_000

/** A comment of an event stream. Clients ignore it. */
const comment = new TextEncoder().encode(':\n\n')

const bodies = new Set<SentBody>()
let life = 0

/**
 * Counts the bytes of a body that goes to the service worker. When Firefox ends the worker that sends a body, it
 * reports the body as complete. Only this page knows how many bytes the body has.
 *
 * An event stream begins with a comment, because Firefox may hold a worker's response back until its first byte.
 */
export function countBody<Body extends ReadableStream<Uint8Array> | ArrayBuffer>(
  method: string,
  requestUrl: string,
  body: Body,
  headers: Headers,
): Body {
  const url = withoutFragment(requestUrl)
  const isStream = body instanceof ReadableStream
  // Bytes that are not a stream arrive in one piece. Remember them too: otherwise they could be confused with a stream
  // of the same URL.
  if (!isStream && body.byteLength < 65_536 && !isOfSent(url)) return body
  const reader = isStream ? body.getReader() : undefined
  const sent: SentBody = {
    method,
    url,
    life,
    sent: isStream ? 0 : body.byteLength,
    hasEnded: !isStream,
    isCut: false,
    cancel: (reason) => void reader?.cancel(reason).catch(() => {}),
  }
  remember(sent)
  if (!reader) return body
  const counted = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (!headers.get('content-type')?.startsWith('text/event-stream')) return
        sent.sent += comment.length
        controller.enqueue(comment)
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            sent.hasEnded = !sent.isCut
            controller.close()
          } else {
            sent.sent += value.byteLength
            controller.enqueue(value)
          }
        } catch (error) {
          bodies.delete(sent)
          controller.error(error)
        }
      },
      cancel(reason) {
        bodies.delete(sent)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return counted as Body
}

/** Call this when another worker controls this page. The previous worker may still send bodies. */
export function beginLife(): void {
  life += 1
}

/** Call this when the browser has ended the worker and started it again. */
export function endBodies(): void {
  beginLife()
  for (const sent of bodies) {
    if (sent.hasEnded || sent.isCut) continue
    sent.isCut = true
    const { method, url } = sent
    print.error(
      'US0316',
      `Failed to send the whole response of ${method} ${url}: the browser ended the service worker. ` +
        'Make the request again. A page that is paused or busy for 30 seconds cannot keep its service worker alive.',
    )
    sent.cancel(cutError())
  }
  later(() => {
    for (const sent of bodies) if (sent.life < life) bodies.delete(sent)
  }, probeTimeOut)
}

/** Returns a response whose body fails if the service worker was ended before it had sent all of it. */
function watchResponse(response: Response, signal: AbortSignal | undefined): Response {
  const { body } = response
  if (!body || !isOfSent(response.url)) return response
  const reader = body.getReader()
  const cut = new AbortController()
  let received = 0
  const watched = new ReadableStream(
    {
      // As the bodies of the platform.
      type: 'bytes',
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) {
          received += value.byteLength
          controller.enqueue(value)
        } else if (await isCut(response.url, received)) {
          cut.abort(cutError())
          controller.error(cut.signal.reason)
        } else {
          controller.close()
          // A reader with its own buffer waits for this.
          controller.byobRequest?.respond(0)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers, url, redirected, type } = response
  return withFacts(new Response(watched, { status, statusText, headers }), {
    url,
    redirected,
    type,
    signal: signal ? AbortSignal.any([signal, cut.signal]) : cut.signal,
  })
}

/** Creates a `fetch` whose responses fail if the service worker was ended before it had sent all of their bodies. */
export function createWatchedFetch(native: typeof globalThis.fetch): typeof globalThis.fetch {
  return async function fetch(input, init) {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    return watchResponse(await native(input, init), signal)
  }
}

/** The values of a failed request. They replace what the request received. */
const failed: Readonly<Record<string, unknown>> = {
  status: 0,
  statusText: '',
  responseURL: '',
  responseXML: null,
  getResponseHeader: () => null,
  getAllResponseHeaders: () => '',
}

/**
 * Makes an XMLHttpRequest fail if the service worker has not sent all of its response.
 *
 * @returns a function that ends this
 */
export function watchXMLHttpRequests(): () => void {
  const watched = new WeakSet<XMLHttpRequest>()
  return patchMethod('send', (native, xhr) => {
    if (!watched.has(xhr)) watchEvents(xhr)
    watched.add(xhr)
    return native()
  })
}

function watchEvents(xhr: XMLHttpRequest): void {
  let received = 0
  let isChecking = false
  const names = [...Object.keys(failed), 'response', 'responseText']
  const isWorth = (): boolean => xhr.readyState === xhr.DONE && xhr.status !== 0 && isOfSent(xhr.responseURL)

  async function check(): Promise<void> {
    const hasFailed = await isCut(xhr.responseURL, received)
    isChecking = false
    if (hasFailed) {
      const isText = xhr.responseType === '' || xhr.responseType === 'text'
      const values = { ...failed, response: isText ? '' : null, ...(isText && { responseText: '' }) }
      for (const [name, value] of Object.entries(values))
        Object.defineProperty(xhr, name, { value, configurable: true })
    }
    const type = hasFailed ? 'error' : 'load'
    const init = { loaded: hasFailed ? 0 : received }
    for (const event of [
      new Event('readystatechange'),
      new ProgressEvent(type, init),
      new ProgressEvent('loadend', init),
    ])
      xhr.dispatchEvent(event)
  }

  // A capturing listener runs before the listeners of the app.
  xhr.addEventListener(
    'loadstart',
    ({ isTrusted }) => {
      // The page itself answers.
      if (!isTrusted) return
      received = 0
      for (const name of names) Reflect.deleteProperty(xhr, name)
    },
    true,
  )
  xhr.addEventListener(
    'progress',
    ({ loaded }) => {
      received = loaded
    },
    true,
  )
  for (const type of ['readystatechange', 'load', 'loadend'] as const) {
    xhr.addEventListener(
      type,
      (event) => {
        if (!event.isTrusted) return
        if (type === 'readystatechange' && isWorth() && !findWhole(xhr.responseURL, received)) {
          isChecking = true
          void check()
        }
        if (isChecking) event.stopImmediatePropagation()
      },
      true,
    )
  }
}

function isOfSent(url: string): boolean {
  for (const sent of bodies) if (sent.url === url) return true
  return false
}

/**
 * Removes a remembered body whose length equals the number of bytes that a client has received. Returns whether there
 * was one.
 */
function findWhole(url: string, received: number): boolean {
  for (const sent of bodies) {
    if (sent.url !== url || !sent.hasEnded || sent.sent !== received) continue
    bodies.delete(sent)
    return true
  }
  return false
}

/** Returns whether a client has received the end of a response without receiving all of it. */
async function isCut(url: string, received: number): Promise<boolean> {
  if (findWhole(url, received)) return false
  const { controller } = navigator.serviceWorker
  // After a restart, the worker reconnects to this page before it answers.
  if (controller) await untilAsked(controller)
  for (const sent of bodies) {
    if (sent.url !== url || sent.life === life || sent.sent < received) continue
    bodies.delete(sent)
    return true
  }
  return false
}

function remember(sent: SentBody): void {
  bodies.add(sent)
  if (bodies.size <= limit) return
  for (const old of bodies) {
    if (!old.hasEnded) continue
    bodies.delete(old)
    return
  }
}

function cutError(): TypeError {
  return new TypeError('The response was cut off, because the browser ended the service worker.')
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}
