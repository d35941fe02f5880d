import { failure } from '../core/failure.ts'
import type { RequestHandler, ResolverInfo, ResponseResolverReturnType } from '../core/handlers/request-handler.ts'
import { isIterator } from '../core/handlers/run-resolver.ts'
import type { HttpResponse, PlainResponse } from '../core/responses/http-response.ts'
import { MockedRequest } from './mocked-request.ts'
import { isMockedResponse, toResponse, type MockedResponse } from './mocked-response.ts'
import { response, type ResponseComposition } from './response-composition.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** What a resolver of MSW 1 may return. A `Response` will do as well, so that handlers can be rewritten bit by bit. */
type ComposedResult<Body, ResponseBody> = MockedResponse<Body> | ResponseResolverReturnType<ResponseBody>

type Steps<Step> = Iterator<MaybePromise<Step>, MaybePromise<Step>, unknown> | AsyncIterator<Step, Step, unknown>

type ResultOrSteps<Result> = MaybePromise<Result | Steps<Result>>

/** What a resolver of MSW 1 may return, generators included. A resolver of today may be passed as one. */
type AnyResponseResolverReturnType<Body, ResponseBody> = ResultOrSteps<ComposedResult<Body, ResponseBody>>

/**
 * A resolver of MSW 1: `(req, res, ctx) => res(ctx.json({}))`.
 *
 * `Body` is the type of the body that `res()` may set, `ResponseBody` that of a `Response`.
 */
export type ComposedResolver<Req, Context, Body, ResponseBody = Body> = (
  req: Req,
  res: ResponseComposition<Body>,
  ctx: Context,
) => AnyResponseResolverReturnType<Body, ResponseBody>

/** A resolver of MSW 1 that declares no body. It fits every handler, whatever body that handler declares. */
export type UndeclaredComposedResolver<Req, Context> = (
  req: Req,
  res: ResponseComposition<unknown>,
  ctx: Context,
  // oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would fit no declared body
) => ResultOrSteps<MockedResponse<unknown> | HttpResponse<any> | PlainResponse | undefined | void>

/** A resolver of any form; a protocol's factory checks the types before. */
export type AnyComposedResolver = (...args: never) => unknown

/** What `res.once()` changes of a handler. */
type OnceHandler = Pick<RequestHandler, 'info' | '~state'>

/**
 * Adapts an MSW 1 resolver, `(req, res, ctx)`, to the resolver that the engine calls.
 *
 * `req` also has every member of the current resolver argument, and the resolver may return a `Response` instead of the
 * result of `res()`. So a resolver written `({ request, params }) => HttpResponse.json({})` runs here unchanged, and
 * callers do not have to distinguish the two. A resolver that declares a single parameter gets no second argument, because its
 * `(info, options = {})` may declare its own.
 *
 * @param handlerOf the handler that the resolver belongs to; called when a request comes
 * @example
 * const handler = new RequestHandler({ resolver: createComposedResolver(resolver, graphqlContext, () => handler), … })
 */
export function createComposedResolver(
  resolver: AnyComposedResolver,
  ctx: object,
  handlerOf: () => OnceHandler,
): (info: ResolverInfo) => Promise<unknown> {
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
      // Of two concurrent requests, the other one was first.
      if (state.isOnceByAnswer) return undefined
      state.isOnceByAnswer = !state.once
      state.once = true
      state.isUsed = true
    }
    return toResponse(value)
  }

  async function callWith(req: MockedRequest): Promise<unknown> {
    return takesOnlyInfo ? call(req) : call(await req.readBody(), response, ctx)
  }

  return async (info) => {
    const state = handlerOf()['~state']
    if (state.isOnceByAnswer) {
      // After `restoreHandlers()`, each answer states again whether it is the only one.
      state.isOnceByAnswer = false
      state.once = false
    }
    isArgumentless ??= hasNoArguments(resolver)
    const result = await (isArgumentless ? call() : callWith(new MockedRequest(info)))
    return isIterator(result) ? mapSteps(result, finish) : finish(result)
  }
}

/** Whether a function can read no argument: an arrow function, which has no `arguments`, without parameters. */
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
