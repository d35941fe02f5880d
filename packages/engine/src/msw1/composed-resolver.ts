import { failure } from '../core/failure.ts'
import type { RequestHandler, ResolverInfo, ResponseResolverReturnType } from '../core/handlers/request-handler.ts'
import { isIterator } from '../core/handlers/run-resolver.ts'
import { Response } from '../core/platform.ts'
import type { HttpResponse, PlainResponse } from '../core/responses/http-response.ts'
import { MockedRequest } from './mocked-request.ts'
import { isMockedResponse, toResponse, type MockedResponse } from './mocked-response.ts'
import { response, type ResponseComposition } from './response-composition.ts'

type MaybePromise<Value> = Value | Promise<Value>

/**
 * The values that an MSW 1 resolver may return. A `Response` is allowed too, so that handlers can be migrated step by
 * step.
 */
type ComposedResult<Body, ResponseBody> = MockedResponse<Body> | ResponseResolverReturnType<ResponseBody>

type Steps<Step> = Iterator<MaybePromise<Step>, MaybePromise<Step>, unknown> | AsyncIterator<Step, Step, unknown>

type ResultOrSteps<Result> = MaybePromise<Result | Steps<Result>>

/** The values that an MSW 1 resolver may return, including generators. A current resolver is allowed, too. */
type AnyResponseResolverReturnType<Body, ResponseBody> = ResultOrSteps<ComposedResult<Body, ResponseBody>>

/**
 * An MSW 1 resolver: `(req, res, ctx) => res(ctx.json({}))`.
 *
 * `Body` is the type of the body that `res()` may set, `ResponseBody` that of a `Response`.
 */
export type ComposedResolver<Req, Context, Body, ResponseBody = Body> = (
  req: Req,
  res: ResponseComposition<Body>,
  ctx: Context,
) => AnyResponseResolverReturnType<Body, ResponseBody>

/** An MSW 1 resolver that declares no body. It fits every handler, whatever body that handler declares. */
export type UndeclaredComposedResolver<Req, Context> = (
  req: Req,
  res: ResponseComposition<unknown>,
  ctx: Context,
  // oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would fit no declared body
) => ResultOrSteps<MockedResponse<unknown> | HttpResponse<any> | PlainResponse | undefined | void>

/** A resolver of any form. The factory of the protocol has checked the types. */
export type AnyComposedResolver = (...args: never) => unknown

/** The members of a handler that `res.once()` needs. */
type OnceHandler = Pick<RequestHandler, 'info' | '~state'>

/**
 * Adapts an MSW 1 resolver, `(req, res, ctx)`, to the resolver that the engine calls.
 *
 * `req` also has every member of the current resolver argument, and the resolver may return a `Response` instead of the
 * result of `res()`. So a resolver written `({ request, params }) => HttpResponse.json({})` runs here unchanged, and
 * callers do not have to distinguish the two. A resolver that declares a single parameter gets no second argument, because its
 * `(info, options = {})` may declare its own.
 *
 * @param handlerOf the handler that the resolver belongs to; called when a request arrives
 * @example
 * const handler = new RequestHandler({ resolver: createComposedResolver(resolver, graphqlContext, () => handler), … })
 */
export function createComposedResolver(
  resolver: AnyComposedResolver,
  ctx: object,
  handlerOf: () => OnceHandler,
): (info: ResolverInfo) => unknown {
  const call = resolver as (...args: readonly unknown[]) => unknown
  const takesOnlyInfo = resolver.length === 1
  let isArgumentless: boolean | undefined

  async function finish(value: unknown): Promise<unknown> {
    if (typeof value === 'function') {
      throw failure(
        'US0218',
        'compose a response',
        `the resolver of ${handlerOf().info.header} returned a function`,
        'Return the result of res(): return res(ctx.json({})).',
      )
    }
    if (!isMockedResponse(value)) return value
    if (value.once) {
      const state = handlerOf()['~state']
      // A concurrent request was answered first.
      if (state.isOnceByAnswer) return undefined
      state.isOnceByAnswer = !state.once
      state.once = true
      state.isUsed = true
    }
    return toResponse(value)
  }

  function callWith(req: MockedRequest): unknown {
    return takesOnlyInfo ? call(req) : req.readBody().then((read) => call(read, response, ctx))
  }

  async function finishLater(result: unknown): Promise<unknown> {
    const value = await result
    return isIterator(value) ? mapSteps(value, finish) : finish(value)
  }

  return (info) => {
    const state = handlerOf()['~state']
    if (state.isOnceByAnswer) {
      // After `restoreHandlers()`, each response sets again whether it is the only one.
      state.isOnceByAnswer = false
      state.once = false
    }
    isArgumentless ??= hasNoArguments(resolver)
    const result = isArgumentless ? call() : callWith(new MockedRequest(info))
    // Await only other values: `await` would cost time for every request.
    return result instanceof Response ? result : finishLater(result)
  }
}

/**
 * Returns whether a function cannot read arguments: an arrow function, which has no `arguments`, without parameters.
 */
function hasNoArguments(resolver: AnyComposedResolver): boolean {
  return resolver.length === 0 && /^(?:async\s*)?\(\s*\)\s*=>/.test(Function.prototype.toString.call(resolver))
}

function mapSteps(
  steps: Iterator<unknown, unknown, unknown> | AsyncIterator<unknown, unknown, unknown>,
  map: (value: unknown) => Promise<unknown>,
): AsyncIterator<unknown, unknown, unknown> {
  return {
    async next() {
      const { done, value } = await steps.next()
      return { done: done ?? false, value: await map(await value) }
    },
    async return() {
      await steps.return?.()
      return { done: true, value: undefined }
    },
  }
}
