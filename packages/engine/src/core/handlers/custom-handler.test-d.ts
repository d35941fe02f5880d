import { expectTypeOf, test } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { RequestHandler } from './custom-handler.ts'
import type { HandlerOptions } from './request-handler.ts'

interface RpcInfo {
  header: string
  method: string
}
interface RpcOptions extends HandlerOptions {
  retries: number
}

/** A class as written for MSW 2, whose base class has four type parameters. */
class RpcHandler extends RequestHandler<RpcInfo, { method: string }, { tail: string }, RpcOptions> {
  constructor(method: string, options: RpcOptions) {
    super({ info: { header: `RPC ${method}`, method }, resolver: ({ tail }) => HttpResponse.text(tail), options })
  }

  override async parse({ request }: { request: Request }): Promise<{ method: string }> {
    return (await request.json()) as { method: string }
  }

  override predicate({ parsedResult }: { request: Request; parsedResult: { method: string } }): boolean {
    return parsedResult.method === this.info.method
  }

  override extendResolverArgs(): { tail: string } {
    return { tail: '' }
  }
}

test('a class may name all type arguments of the base class of MSW', () => {
  const handler = new RpcHandler('add', { retries: 1 })
  expectTypeOf(handler.info.method).toEqualTypeOf<string>()
  expectTypeOf(handler).toExtend<RequestHandler>()
  // @ts-expect-error -- the options of the class require `retries`
  expectTypeOf(new RpcHandler('add', { once: true })).toExtend<RequestHandler>()
})

test('the type of a list may have the type arguments of MSW 1 and 2', () => {
  type Own = RequestHandler<RpcInfo, { method: string }, { tail: string }, RpcOptions>
  expectTypeOf(new RpcHandler('add', { retries: 1 })).toExtend<Own>()
  expectTypeOf<Own['info']['method']>().toEqualTypeOf<string>()
  // oxlint-disable-next-line typescript/no-explicit-any -- as projects write it
  expectTypeOf(http.get('/', () => undefined)).toExtend<RequestHandler<any, any, any, any>>()
})

test('a request handler has the methods that code around MSW calls', async () => {
  const value: unknown = http.get('/', () => undefined)
  if (!(value instanceof RequestHandler)) return
  const request = new Request('http://localhost/')
  expectTypeOf(value).toExtend<RequestHandler>()
  expectTypeOf(await value.test({ request })).toEqualTypeOf<boolean>()
  expectTypeOf((await value.run({ request, requestId: '1' }))?.response).toEqualTypeOf<Response | undefined>()
})
