import { describe, expect, it, vi } from 'vitest'

import { http, HttpResponse, RequestHandler, type ResolverInfo } from '../../index.ts'
import { getResponse } from '../network/get-response.ts'

/** A call of JSON-RPC. */
interface Call {
  method?: string
  params?: unknown
}

class RpcHandler extends RequestHandler<{ header: string; method: string }, Call, { params: unknown }> {
  constructor(
    method: string,
    resolver: (info: ResolverInfo<Call> & { params: unknown }) => Response | Promise<Response>,
    once = false,
  ) {
    super({ info: { header: `RPC ${method}`, method }, resolver, options: { once } })
  }

  override async parse({ request }: { request: Request }): Promise<Call> {
    return (await request.json().catch(() => ({}))) as Call
  }

  override predicate({ parsedResult }: { parsedResult: Call }): boolean {
    return parsedResult.method === this.info.method
  }

  protected override extendResolverArgs({ parsedResult }: { parsedResult: Call }): { params: unknown } {
    return { params: parsedResult.params }
  }
}

const call = (body: Call): Request =>
  new Request('https://api.test/rpc', { method: 'POST', body: JSON.stringify(body) })

describe('a class that extends RequestHandler', () => {
  it('answers requests that its predicate accepts, by the parsed result', async () => {
    const handlers = [
      new RpcHandler('other', () => HttpResponse.text('not this one')),
      new RpcHandler('add', ({ params, request }) => HttpResponse.json({ params, method: request.method })),
      http.all('*', () => HttpResponse.text('the next')),
    ]
    const added = await getResponse(handlers, call({ method: 'add', params: [1, 2] }))
    expect(await added?.json()).toEqual({ params: [1, 2], method: 'POST' })
    expect(await (await getResponse(handlers, call({ method: 'nothing' })))?.text()).toBe('the next')
    expect(await (await getResponse(handlers, new Request('https://api.test/user')))?.text()).toBe('the next')
  })

  it('leaves the body for the resolver', async () => {
    const handler = new RpcHandler('add', async ({ request }) => HttpResponse.json(await request.json()))
    const answer = await getResponse([handler], call({ method: 'add', params: 5 }))
    expect(await answer?.json()).toEqual({ method: 'add', params: 5 })
  })

  it('answers once with the option `once`', async () => {
    const handlers = [
      new RpcHandler('add', () => HttpResponse.text('once'), true),
      new RpcHandler('add', () => HttpResponse.text('always')),
    ]
    const ask = async (): Promise<string | undefined> => (await getResponse(handlers, call({ method: 'add' })))?.text()
    expect([await ask(), await ask()]).toEqual(['once', 'always'])
  })

  it('its handlers have a name, and the line where they were created', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const handler = new RpcHandler('add', () => {
      throw new Error('thrown')
    })
    expect((await getResponse([handler], call({ method: 'add' })))?.status).toBe(500)
    expect(error.mock.lastCall?.[0]).toMatch(/the handler RPC add \(.+custom-handler\.test\.ts:\d+:\d+\) threw/)
    expect(handler.info).toMatchObject({ header: 'RPC add', method: 'add' })
    error.mockRestore()
  })

  it('may override only predicate()', async () => {
    class HeaderHandler extends RequestHandler {
      override async predicate({ request }: { request: Request }): Promise<boolean> {
        return request.headers.has('x-wanted')
      }
    }
    const handler = new HeaderHandler({ info: { header: 'wanted' }, resolver: () => HttpResponse.text('yes') })
    const wanted = new Request('https://api.test/', { headers: { 'X-Wanted': '1' } })
    expect(await (await getResponse([handler], wanted))?.text()).toBe('yes')
    expect(await getResponse([handler], new Request('https://api.test/'))).toBeUndefined()
  })

  it('has its own handlers for instances; RequestHandler has all', () => {
    const custom = new RpcHandler('add', () => HttpResponse.text(''))
    const plain = http.get('/user', () => HttpResponse.text(''))
    expect([custom, plain].map((handler) => handler instanceof RequestHandler)).toEqual([true, true])
    expect([custom, plain].map((handler) => handler instanceof RpcHandler)).toEqual([true, false])
    expect({} instanceof RequestHandler).toBe(false)
  })

  it('reports a resolver that is not a function', () => {
    expect(() => new RpcHandler('add', undefined as never)).toThrow(
      'Failed to create the handler RPC add: its resolver is undefined. Pass super() a function that returns a response.',
    )
  })
})
