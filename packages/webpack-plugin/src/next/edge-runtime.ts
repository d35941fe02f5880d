import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The globals of an edge function. */
interface EdgeContext {
  fetch: (input: unknown, init?: unknown) => Promise<unknown>
  readonly Request: new (input: unknown, init?: unknown) => EdgeRequest
  readonly Response: new (body: unknown, init?: unknown) => unknown
}

interface EdgeRequest extends Pick<Request, 'url' | 'method' | 'redirect' | 'signal' | 'arrayBuffer'> {
  readonly headers: Iterable<[string, string]>
  readonly body: unknown
}

interface EdgeOptions {
  extend?: (context: EdgeContext) => EdgeContext
}

type EdgeRuntimeClass = new (options?: EdgeOptions) => object

/** The classes that already use this process's own `fetch`. */
const known = new WeakSet<EdgeRuntimeClass>()

/**
 * Makes edge functions use this process's own `fetch`, which is mocked. In `next dev`, they run in this process with
 * another `fetch`.
 *
 * @returns whether this version of Next runs edge functions in this way
 */
export function mockEdgeRuntime(root: string): boolean {
  try {
    const compiled = createRequire(join(root, 'package.json'))('next/dist/compiled/edge-runtime') as {
      EdgeRuntime: EdgeRuntimeClass
    }
    if (known.has(compiled.EdgeRuntime)) return true
    const value = new Proxy(compiled.EdgeRuntime, {
      construct: (Native, [options = {}]: [EdgeOptions?]) =>
        new Native({
          ...options,
          extend(context) {
            context.fetch = createFetch(context)
            return options.extend?.(context) ?? context
          },
        }),
    })
    known.add(value)
    Object.defineProperty(compiled, 'EdgeRuntime', { configurable: true, enumerable: true, value })
    return true
  } catch {
    return false
  }
}

/** Creates a `fetch` that converts requests and responses, because an edge function has its own classes. */
function createFetch(context: EdgeContext): EdgeContext['fetch'] {
  const { Request: EdgeRequestClass, Response: EdgeResponse } = context
  return async (input, init) => {
    const request = new EdgeRequestClass(input, init)
    const { url, method, redirect, signal } = request
    const hasBody = request.body !== null && request.body !== undefined
    const response = await fetch(url, {
      method,
      redirect,
      signal,
      headers: [...request.headers],
      ...(hasBody && { body: await request.arrayBuffer() }),
    })
    const { status, statusText, headers } = response
    const isEmpty = [101, 204, 205, 304].includes(status)
    const body = isEmpty ? null : await response.arrayBuffer()
    return Object.defineProperties(new EdgeResponse(body, { status, statusText, headers: [...headers] }) as object, {
      url: { value: response.url },
      redirected: { value: response.redirected },
    })
  }
}
