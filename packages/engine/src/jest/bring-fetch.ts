import { createXMLHttpRequest } from '../node/sockets/page-xml-http-request.ts'

/** The globals of Node that jsdom lacks, or has in a form that Node's `fetch` rejects. */
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
 * The classes of the bytes that Node's Fetch and `TextEncoder` create. jsdom's context has others of the same names,
 * so libraries and matchers reject the bytes as no instances of them.
 */
const classesOfBytes = [
  'ArrayBuffer',
  'BigInt64Array',
  'BigUint64Array',
  'DataView',
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
] as const

/**
 * Adds Node's Fetch to the global object of a jsdom page. Classes that elements and listeners use stay jsdom's
 * (`AbortSignal`, `URL`, `URLSearchParams`). Their objects are converted where Node's Fetch would reject them.
 */
export function bringFetch(page: typeof globalThis): void {
  for (const name of [...names, ...classesOfBytes]) define(page, name, globalThis[name])
  define(page, 'FormData', createFormData(page.FormData))
  define(page, 'XMLHttpRequest', createXMLHttpRequest(page))
  const PageRequest = createRequest(page)
  define(page, 'Request', PageRequest)
  define(page, 'fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    globalThis.fetch(input instanceof PageRequest && !init ? input : new PageRequest(input, init)),
  )
}

function define(page: typeof globalThis, name: string, value: unknown): void {
  Object.defineProperty(page, name, { value, configurable: true, enumerable: false, writable: true })
}

/**
 * Creates a `FormData` class that extends Node's, so that Node can send it. For a form element, it copies the fields
 * that jsdom reads, and the files from their elements: Node does not accept jsdom's, and jsdom does not know of those that
 * test libraries choose.
 */
function createFormData(PageFormData: typeof FormData): typeof FormData {
  return class extends FormData {
    constructor(form?: HTMLFormElement, submitter?: HTMLElement | null) {
      super()
      if (!form) return
      const copied = new Set<string>()
      for (const [name, value] of new PageFormData(form, submitter ?? null)) {
        if (typeof value === 'string') this.append(name, value)
        else if (!copied.has(name)) {
          copied.add(name)
          for (const file of filesOf(form, name)) this.append(name, file, file.name)
        }
      }
    }
  }
}

/** Returns the files of a form's elements with a name: an empty file for an element without files, as browsers do. */
function filesOf(form: HTMLFormElement, name: string): File[] {
  const elements = [...form.elements] as HTMLInputElement[]
  return elements
    .filter((element) => element.type === 'file' && element.name === name && !element.matches(':disabled'))
    .flatMap(({ files }) => (files?.length ? [...files] : new File([], '', { type: 'application/octet-stream' })))
}

/** Creates a `Request` class that resolves relative URLs against the page, and accepts signals and search parameters of the page. */
function createRequest(page: typeof globalThis): typeof Request {
  return class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(toInput(input, page), init && toInit(init, page))
    }
  }
}

function toInput(input: RequestInfo | URL, { location }: typeof globalThis): RequestInfo {
  if (input instanceof Request) return input
  const text = String(input)
  return URL.canParse(text, location.href) ? new URL(text, location.href).href : text
}

function toInit(init: RequestInit, page: typeof globalThis): RequestInit {
  const { body, signal } = init
  const isForeign = signal && !(signal instanceof AbortSignal)
  return {
    ...init,
    ...(isForeign && { signal: toSignal(signal) }),
    ...(body instanceof page.URLSearchParams && { body: new URLSearchParams(String(body)) }),
  }
}

/** Returns a signal of Node that follows a signal of the page. */
function toSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  if (signal.aborted) controller.abort(signal.reason)
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  return controller.signal
}
