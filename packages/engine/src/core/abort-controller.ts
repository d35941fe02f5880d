import { AbortController, Request } from './platform.ts'

let Fitting: typeof AbortController | undefined

/**
 * Creates an abort controller whose signal `Request` accepts. The global class can be jsdom's, whose signals Node's
 * `Request` rejects, so that every request would fail.
 */
export function createAbortController(): AbortController {
  Fitting ??= [AbortController, findOfNode()].find(isFitting) ?? AbortController
  return new Fitting()
}

/** Returns Node's own class, which jsdom does not replace. */
function findOfNode(): typeof AbortController | undefined {
  const { process } = globalThis as unknown as { process: NodeProcess }
  try {
    return process.getBuiltinModule('node:util').transferableAbortController().constructor as typeof AbortController
  } catch {
    // Browsers have no `process`, and in Cloudflare's `workerd` the function throws.
    return undefined
  }
}

interface NodeProcess {
  getBuiltinModule(name: 'node:util'): { transferableAbortController(): AbortController }
}

function isFitting(Class: typeof AbortController | undefined): boolean {
  if (!Class) return false
  const controller = new Class()
  try {
    const { signal } = new Request('http://localhost/', { signal: controller.signal })
    controller.abort()
    return signal.aborted
  } catch {
    return false
  }
}

/**
 * Throws the reason of an aborted signal. Signals of jsdom 20 have neither `throwIfAborted()` nor `reason`, and undici
 * in Jest creates its signals with jsdom's class.
 */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortReasonOf(signal)
}

/** Returns the reason of an aborted signal. Default: the reason that the platform uses. */
function abortReasonOf({ reason }: AbortSignal): unknown {
  return reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason
}
