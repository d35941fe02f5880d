import { Request } from './platform.ts'

/** The platform's class, as in platform.ts. */
const { AbortController } = globalThis

let Fitting: typeof AbortController | undefined

/**
 * Creates an abort controller whose signal `Request` accepts. The global class can be jsdom's, whose signals Node's
 * `Request` rejects, so that every request would fail.
 */
export function createAbortController(): AbortController {
  Fitting ??= findFitting(() => AbortController) ?? findFitting(findOfNode) ?? AbortController
  return new Fitting()
}

/** Returns the class that a function finds, if `Request` accepts its signals. */
function findFitting(find: () => typeof AbortController): typeof AbortController | undefined {
  try {
    const Class = find()
    const controller = new Class()
    const { signal } = new Request('http://localhost/', { signal: controller.signal })
    controller.abort()
    return signal.aborted ? Class : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns Node's own class, which jsdom does not replace.
 *
 * @throws {TypeError} in browsers, which have no `process`, and in Cloudflare's `workerd`, where the function throws
 */
function findOfNode(): typeof AbortController {
  const { process } = globalThis as unknown as { process: NodeProcess }
  return process.getBuiltinModule('node:util').transferableAbortController().constructor as typeof AbortController
}

interface NodeProcess {
  getBuiltinModule(name: 'node:util'): { transferableAbortController(): AbortController }
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
