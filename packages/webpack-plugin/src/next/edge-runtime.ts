import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What the code of an edge function finds as its globals. */
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

/** The classes that request by this process's own `fetch` already. */
const known = new WeakSet<EdgeRuntimeClass>()

/**
 * Has edge functions request by this process's own `fetch`, which mocks: in `next dev` they run in this process, with a
 * `fetch` of their own.
 *
 * @returns whether this Next runs edge functions in that way
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

/** The classes of an edge function are its own: requests and responses are carried over. */
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
