import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { isPromise } from '../core/is-promise.ts'
import { Headers } from '../core/platform.ts'
import { createNetworkError } from '../core/responses/network-error.ts'
import { statusTextOf } from '../core/responses/status-text.ts'
import type { MockedResponse } from './mocked-response.ts'

/**
 * Changes a response that is being composed, and returns it. `Body` is the type of the body that it sets. (MSW 1 has a
 * second type parameter, for the body that it gets.)
 *
 * @example
 * const poweredBy = (name: string): ResponseTransformer => (res) => {
 *   res.headers.set('X-Powered-By', name)
 *   return res
 * }
 */
export type ResponseTransformer<Body = never, _GivenBody = unknown> = (
  res: MockedResponse,
) => MockedResponse<Body> | Promise<MockedResponse<Body>>

/** The values that are allowed among transformers without effect: `res(isSlow && ctx.delay(500))`. */
type Nothing = false | null | undefined | '' | 0

/** Composes a response. The last transformer is applied first. */
export type ResponseFunction<Body = unknown> = (
  ...transformers: readonly (ResponseTransformer<Body> | Nothing)[]
) => Promise<MockedResponse<Body>>

/** `res`, the second argument of an MSW 1 resolver. */
export interface ResponseComposition<Body = unknown> extends ResponseFunction<Body> {
  /** Like `res()`. After this response, the handler does not answer again until `restoreHandlers()`. */
  readonly once: ResponseFunction<Body>
  /**
   * Fails the request as if the host could not be reached.
   *
   * @throws always, so the rest of the resolver does not run
   */
  networkError(message: string): never
}

/** `createResponseComposition`: creates a `res` with your own defaults. */
export function createResponseComposition<Body = unknown>(
  overrides?: Partial<MockedResponse> | null,
  defaults: readonly ResponseTransformer<NoInfer<Body>>[] = [],
): ResponseFunction<Body> {
  return async (...transformers) => {
    const initial: MockedResponse = {
      status: 200,
      statusText: statusTextOf(overrides?.status ?? 200),
      body: null,
      headers: new Headers(),
      once: false,
      passthrough: false,
      ...overrides,
    }
    transformers.forEach(checkTransformer)
    const applied = [...defaults, ...transformers].filter((one) => typeof one === 'function')
    return compose(...applied)(initial)
  }
}

/**
 * Combines several transformers into one. The last one is applied first.
 *
 * @example
 * const notFound = (id: string) => compose(context.status(404), context.json({ missing: id }))
 */
export function compose<const Transformers extends readonly ResponseTransformer<unknown>[]>(
  ...transformers: Transformers
): ResponseTransformer<BodyOf<Transformers[number]>> {
  return (res) => {
    let given: unknown = res
    for (const transform of transformers.toReversed()) {
      given = isPromise(given)
        ? given.then(transform as (given: unknown) => unknown)
        : transform(given as MockedResponse)
    }
    return given as MockedResponse<never>
  }
}

type BodyOf<Transformer> = Transformer extends ResponseTransformer<infer Body> ? Body : never

/** The `res` that resolvers get. */
export const response: ResponseComposition = Object.assign(createResponseComposition(), {
  once: createResponseComposition({ once: true }),
  networkError(message: string): never {
    throw createNetworkError(message)
  },
})

function checkTransformer(value: unknown, index: number): void {
  if (typeof value === 'function' || !value) return
  throw failure(
    'US0220',
    'compose a response',
    `argument ${index + 1} of res() is ${describe(value)}`,
    'Pass transformers of ctx: res(ctx.status(200), ctx.json({})).',
  )
}
