import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { fuzzSettings } from '../testing/fuzz-settings.ts'
import corpus from './request-heads.corpus.json' with { type: 'json' }
import { setupServer } from './setup-server.ts'

/** The parts of a request to compare: its `x-…` headers, and its path with the query. */
interface Head {
  readonly url: string
  readonly headers: [name: string, value: string][]
}

type Input = [header: [name: string, value: string], path: string]

const server = setupServer(
  http.all(/./, ({ request, url }) =>
    HttpResponse.json({ url: url.pathname + url.search, headers: ownHeaders([...request.headers]) }),
  ),
)
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
let real: Server
let origin: string

beforeAll(async () => {
  real = createServer(({ url = '', headers }, response) => {
    // Do not resolve it against a base: a path may begin with two slashes.
    const { pathname, search } = new URL(`${origin}${url}`)
    const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    response.end(JSON.stringify({ url: pathname + search, headers: ownHeaders(entries) }))
  }).listen(0, '127.0.0.1')
  await once(real, 'listening')
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
})
afterEach(() => server.close())
afterAll(() => {
  real.closeAllConnections()
  real.close()
})

function ownHeaders(headers: [string, string][]): [string, string][] {
  return headers.filter(([name]) => name.startsWith('x-')).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const clients: Record<string, (header: Input[0], path: string) => Promise<Head>> = {
  async fetch([name, value], path) {
    const response = await fetch(`${origin}${path}`, { headers: [[name, value]] })
    return (await response.json()) as Head
  },
  async 'node:http'([name, value], path) {
    const request = get(origin, { path, headers: { [name]: value } })
    const [message] = (await once(request, 'response')) as [IncomingMessage]
    return (await json(message)) as Head
  },
}

/** Returns the response of a client, or the code of the error with which it refuses the input. */
async function outcomeOf(client: (typeof clients)[string], [header, path]: Input): Promise<Head | string> {
  try {
    return await client(header, path)
  } catch (error) {
    const { code, name } = error as { code?: string; name: string }
    return code ?? name
  }
}

/** One character of a text. */
const oneOf = (text: string): fc.Arbitrary<string> => fc.nat(text.length - 1).map((index) => text.charAt(index))
const tokens = fc.string({ unit: oneOf('abcXYZ019-_.!~'), minLength: 1, maxLength: 12 })
/** Without control characters: undici refuses some that the Fetch standard allows. */
const values = fc.string({ unit: oneOf(' \tabc,;="\\%\u00e4\u00ff'), maxLength: 20 })
const paths = fc
  .string({ unit: oneOf('/ab.~%2eEzZ?&=:@!$\'()*+,;[]|\\"<>{}^`#'), maxLength: 24 })
  .map((text) => `/${text}`)
const inputs = fc.tuple(
  fc.tuple(
    tokens.map((text) => `x-${text}`),
    values,
  ),
  paths,
)

describe.each(Object.entries(clients))('%s', (_name, client) => {
  it('gives a handler the same request as a server', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const expected = await outcomeOf(client, input)
        server.listen({ onUnhandledRequest: 'error' })
        const mocked = await outcomeOf(client, input)
        server.close()
        expect(mocked).toEqual(expected)
      }),
      fuzzSettings(
        (corpus as Input[]).map((input): [Input] => [input]),
        300,
      ),
    )
  })
})
