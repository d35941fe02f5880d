/** What Node has and jsdom has not, or not in a kind that Node's `fetch` would take. */
const names = [
  'Blob',
  'BroadcastChannel',
  'ByteLengthQueuingStrategy',
  'CompressionStream',
  'CountQueuingStrategy',
  'DecompressionStream',
  'File',
  'Headers',
  'ReadableByteStreamController',
  'ReadableStream',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableStreamDefaultController',
  'ReadableStreamDefaultReader',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'TransformStreamDefaultController',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
  'structuredClone',
] as const

/**
 * Brings Node's Fetch into the global object of a page that jsdom made. What elements and listeners take stays jsdom's
 * (`AbortSignal`, `URL`), and is translated where Node's Fetch would refuse it.
 */
export function bringFetch(page: typeof globalThis): void {
  for (const name of names) define(page, name, globalThis[name])
  define(page, 'FormData', createFormData(page.FormData))
  const PageRequest = createRequest(page)
  define(page, 'Request', PageRequest)
  define(page, 'fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    globalThis.fetch(input instanceof PageRequest && !init ? input : new PageRequest(input, init)),
  )
}

function define(page: typeof globalThis, name: string, value: unknown): void {
  Object.defineProperty(page, name, { value, configurable: true, enumerable: false, writable: true })
}

/** Node's, which Node can send; of a form it takes what jsdom reads there. */
function createFormData(PageFormData: typeof FormData): typeof FormData {
  return class extends FormData {
    constructor(form?: HTMLFormElement, submitter?: HTMLElement | null) {
      super()
      if (!form) return
      for (const [name, value] of new PageFormData(form, submitter ?? null)) this.append(name, value)
    }
  }
}

/** Relative URLs are the page's, and so are signals. */
function createRequest(page: typeof globalThis): typeof Request {
  return class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(toInput(input, page), init && toInit(init))
    }
  }
}

function toInput(input: RequestInfo | URL, { location }: typeof globalThis): RequestInfo {
  if (input instanceof Request) return input
  const text = String(input)
  return URL.canParse(text, location.href) ? new URL(text, location.href).href : text
}

function toInit(init: RequestInit): RequestInit {
  const { signal } = init
  if (!signal || signal instanceof AbortSignal) return init
  return { ...init, signal: toSignal(signal) }
}

/** A signal of Node's that follows one of the page's. */
function toSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  if (signal.aborted) controller.abort(signal.reason)
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  return controller.signal
}
