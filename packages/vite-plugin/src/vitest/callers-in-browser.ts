import type { SetupWorker } from '@understudy/engine/browser'
import type { Gate } from '@understudy/engine/internal/page'

/** Has the stack of the code that made a request. V8 formats it when it is read. */
interface Caller {
  readonly stack?: string
}

/** V8's property, and a function that most browsers have. */
interface StackCapture {
  stackTraceLimit?: number
  captureStackTrace?: (target: object, above: unknown) => void
}

type Method = (this: XMLHttpRequest, ...args: unknown[]) => unknown

interface Methods {
  open: Method
  send: Method
}

/** Test helpers and libraries may be between the test and its request. */
const stackLimit = 50

/** The frames of Vitest, which come last. */
const runnerFrame = /\/(?:node_modules\/@?vitest|__vitest)/

/**
 * The places where code makes requests with `fetch` and `XMLHttpRequest`.
 *
 * Browsers have no async context, and a worker sees a request but not the code that made it. So calls are matched with requests
 * by method and URL, in their order.
 */
export class Callers {
  readonly #calls = new Map<string, Caller[]>()
  readonly #byRequest = new Map<string, Caller>()

  #uninstall: () => void = () => {}
  /** Ends this. */
  readonly stop: () => void

  constructor({ progress }: SetupWorker['~network'], gate: Gate) {
    progress.add((event) => {
      if (event.type !== 'start') return
      const caller = this.#calls.get(toKey(event.request.method, event.request.url) ?? '')?.shift()
      if (caller) this.#byRequest.set(event.requestId, caller)
    })
    this.#install()
    // While handlers change, the gate holds calls and makes them later, from its own code. So be above it.
    const hold = gate.hold.bind(gate)
    const open = gate.open.bind(gate)
    gate.hold = (options) => {
      const release = this.#reinstall(() => hold(options))
      return () => this.#reinstall(release)
    }
    gate.open = (replacements) => this.#reinstall(() => open(replacements))
    this.stop = () => {
      this.#uninstall()
      Object.assign(gate, { hold, open })
    }
  }

  #reinstall<Result>(change: () => Result): Result {
    // The gate restores only globals that nothing has replaced since.
    this.#uninstall()
    try {
      return change()
    } finally {
      this.#install()
    }
  }

  /** Replaces `fetch`, and `open` and `send` of `XMLHttpRequest`, by functions that remember the call. */
  #install(): void {
    const remember = this.#remember.bind(this)
    const { fetch } = globalThis
    const prototype = globalThis.XMLHttpRequest.prototype as unknown as Methods
    const { open, send } = prototype
    const targets = new WeakMap<XMLHttpRequest, readonly [method: unknown, url: unknown]>()
    const own = {
      fetch: (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
        const isRequest = input instanceof Request
        remember(init?.method ?? (isRequest ? input.method : 'GET'), isRequest ? input.url : input, own.fetch)
        return fetch(input, init)
      },
    }
    const ownOpen: Method = function (...args) {
      targets.set(this, [args[0], args[1]])
      return open.apply(this, args)
    }
    const ownSend: Method = function (...args) {
      const target = targets.get(this)
      if (target) remember(...target, ownSend)
      return send.apply(this, args)
    }
    globalThis.fetch = own.fetch
    Object.assign(prototype, { open: ownOpen, send: ownSend })
    this.#uninstall = () => {
      // Code that replaced them since keeps its own.
      if (globalThis.fetch === own.fetch) globalThis.fetch = fetch
      if (prototype.open === ownOpen) prototype.open = open
      if (prototype.send === ownSend) prototype.send = send
    }
  }

  /** Forgets the calls of earlier tests. Some led to no request. */
  forget(): void {
    this.#calls.clear()
    this.#byRequest.clear()
  }

  /** Returns the stack of the code that made a request, one frame per line; `''` if it is unknown. */
  stackOf(requestId: string): string {
    const frames = (this.#byRequest.get(requestId)?.stack?.split('\n') ?? []).flatMap(toFrame)
    const last = frames.findIndex((frame) => runnerFrame.test(frame))
    const own = frames.slice(0, last === -1 ? undefined : last)
    return own.every((frame) => frame.includes('/node_modules/')) ? '' : own.join('\n')
  }

  #remember(method: unknown, url: unknown, above: unknown): void {
    if (typeof url !== 'string' && !(url instanceof URL)) return
    const key = toKey(String(method), url)
    if (key === undefined) return
    const caller: Caller = {}
    const capture = Error as unknown as StackCapture
    const { stackTraceLimit } = capture
    capture.stackTraceLimit = stackLimit
    capture.captureStackTrace?.(caller, above)
    if (stackTraceLimit === undefined) delete capture.stackTraceLimit
    else capture.stackTraceLimit = stackTraceLimit
    this.#calls.set(key, [...(this.#calls.get(key) ?? []), caller])
  }
}

function toKey(method: string, url: string | URL): string | undefined {
  const absolute = URL.parse(url, document.baseURI)
  if (!absolute) return undefined
  absolute.hash = ''
  return `${method.toUpperCase()} ${absolute.href}`
}

/** Converts a line of a stack into the form of V8. A path may contain `@`, and a name does not. */
export function toFrame(line: string): string[] {
  if (/^\s+at /.test(line)) return [line]
  const [, name = '', place] = /^(.*?)@(.+:\d+:\d+)$/.exec(line) ?? []
  if (place === undefined) return []
  return [name === '' ? `    at ${place}` : `    at ${name} (${place})`]
}
