import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { HttpResponse, setCookiesOf } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { http } from '../http/http.ts'
import { graphql } from './graphql.ts'
import { ask, endpoint, post } from './testing/graphql-request.ts'

setUnhandledReport(unhandledReport)

afterEach(() => {
  vi.restoreAllMocks()
})

const handlers = [
  graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { id: variables['id'] } })),
  graphql.mutation('Login', () =>
    HttpResponse.json({ data: { ok: true } }, { headers: { 'Set-Cookie': 'session=1' } }),
  ),
]
const user = (id: number) => ({ query: 'query GetUser { user }', variables: { id } })
const login = { query: 'mutation Login { login }' }

describe('a batch', () => {
  test('gets the answers of its operations, in their order', async () => {
    expect(await ask(handlers, post([user(1), login, user(2)]))).toEqual([
      { data: { id: 1 } },
      { data: { ok: true } },
      { data: { id: 2 } },
    ])
    expect(await ask(handlers, post([user(1)]))).toEqual([{ data: { id: 1 } }])
  })

  test('calls each handler with one operation', async () => {
    const requests: unknown[] = []
    const handler = graphql.operation(async ({ request, operationName }) => {
      requests.push([request.headers.get('x-token'), await request.json()])
      return HttpResponse.json({ data: { operationName } })
    })
    const extensions = { persistedQuery: { sha256Hash: 'abc' } }
    await ask(handler, post([user(1), { operationName: 'B', extensions }], { 'X-Token': 'secret' }))
    expect(requests).toEqual([
      ['secret', user(1)],
      ['secret', { operationName: 'B', extensions }],
    ])
  })

  test('advances `once` handlers and generators', async () => {
    const once = graphql.query('GetUser', () => HttpResponse.json({ data: { id: 'once' } }), { once: true })
    const steps = graphql.mutation('Login', function* () {
      yield HttpResponse.json({ data: { step: 1 } })
      yield HttpResponse.json({ data: { step: 2 } })
    })
    expect(await ask([once, steps, ...handlers], post([user(1), user(2), login, login]))).toEqual([
      { data: { id: 'once' } },
      { data: { id: 2 } },
      { data: { step: 1 } },
      { data: { step: 2 } },
    ])
  })

  test('has one status, the first that is not a success, and all cookies', async () => {
    const failing = graphql.query('Fails', () => HttpResponse.json({ errors: [] }, { status: 503 }))
    const throwing = graphql.query('Throws', () => {
      throw new TypeError('thrown')
    })
    vi.spyOn(console, 'error').mockReturnValue()
    const all = [...handlers, failing, throwing]
    const response = await getResponse(
      all,
      post([login, { query: 'query Fails { a }' }, { query: 'query Throws { a }' }]),
    )
    expect(response?.status).toBe(503)
    expect(response && setCookiesOf(response)).toEqual(['session=1'])
    expect(await response?.json()).toEqual([
      { data: { ok: true } },
      { errors: [] },
      expect.objectContaining({ name: 'TypeError', message: 'thrown' }),
    ])
  })

  test('a response that is not JSON becomes an error of its operation', async () => {
    const text = graphql.query('Text', () => new Response('oops'))
    expect(await ask([text, ...handlers], post([user(1), { query: 'query Text { a }' }]))).toEqual([
      { data: { id: 1 } },
      { errors: [{ message: 'oops' }] },
    ])
  })

  test('a network error of one operation fails the whole batch', async () => {
    const broken = graphql.query('Broken', () => HttpResponse.error())
    const response = await getResponse([broken, ...handlers], post([user(1), { query: 'query Broken { a }' }]))
    expect(response?.type).toBe('error')
  })

  test('passes unchanged if no handler answers any operation', async () => {
    const unknown = { query: 'query Unknown { a }' }
    expect(await getResponse(handlers, post([unknown, unknown]))).toBeUndefined()
    const fallback = http.post(endpoint, async ({ request }) => HttpResponse.json({ got: await request.json() }))
    expect(await ask([...handlers, fallback], post([unknown]))).toEqual({ got: [unknown] })
    // An earlier handler for the whole request answers the whole request.
    expect(await ask([fallback, ...handlers], post([user(1)]))).toEqual({ got: [user(1)] })
  })

  test('is split only at its own endpoint', async () => {
    const linked = graphql.link('https://other.example.com').operation(() => HttpResponse.json({ data: {} }))
    expect(await getResponse([linked], post([user(1)]))).toBeUndefined()
  })

  test('operations without a handler are reported, and fail the batch with the policy "error"', async () => {
    const network = new Network(handlers)
    network.unhandled = {
      decides: true,
      fails: true,
      isSilent: false,
      apply: (_request, _id, describeUnhandled) => Promise.reject(new Error(describeUnhandled())),
    }
    const outcome = await handleRequest(post([user(1), { query: 'query GetUsers { a }' }]), network)
    expect(outcome.type).toBe('network-error')
    expect(String((outcome as { error?: unknown }).error)).toContain('No handler matches query GetUsers (POST ')
    expect(String((outcome as { error?: unknown }).error)).toContain("graphql.query('GetUsers', () =>")
    expect(String((outcome as { error?: unknown }).error)).toContain(
      'name differs: `GetUser` expected, `GetUsers` sent',
    )
  })

  describe('a batch that handlers answer in part', () => {
    const upstream = `${inject('upstream')}/graphql`
    const real = { query: 'query Real { real }' }

    test('sends the rest to the server as one smaller batch', async () => {
      const other = { query: 'query Other { other: real }' }
      expect(await ask(handlers, post([real, user(1), other], {}, upstream))).toEqual([
        { data: { real: 'data of the server' } },
        { data: { id: 1 } },
        { data: { other: 'data of the server' } },
      ])
    })

    test('also sends operations that a handler does not answer or passes through', async () => {
      const passing = graphql.query('Real', () => passthrough())
      const leaving = graphql.query('Real', () => undefined)
      for (const handler of [passing, leaving]) {
        expect(await ask([handler, ...handlers], post([user(1), real], {}, upstream))).toEqual([
          { data: { id: 1 } },
          { data: { real: 'data of the server' } },
        ])
      }
      // If no operation was answered, the whole batch passes.
      expect(await getResponse([passing], post([real, real], {}, upstream))).toBeUndefined()
    })

    test('reports a server that answers with something else', async () => {
      const print = vi.spyOn(console, 'error').mockReturnValue()
      const answers = (await ask(handlers, post([real, user(1)], {}, `${inject('upstream')}/none`))) as object[]
      expect(answers[1]).toEqual({ data: { id: 1 } })
      expect(JSON.stringify(answers[0])).toContain('Failed to send 1 of the operations of a batch')
      expect(print).toHaveBeenCalledOnce()
    })

    test('fails if the server cannot be reached', async () => {
      const response = await getResponse(handlers, post([real, user(1)], {}, 'http://localhost:9/graphql'))
      expect(response?.type).toBe('error')
    })
  })
})
