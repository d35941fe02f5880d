import fc from 'fast-check'
import { expect, it, vi } from 'vitest'

import { graphql } from '../../graphql/graphql.ts'
import { http } from '../../http/http.ts'
import { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { anyRoute } from '../routing/route.ts'
import { readUnhandledPolicy } from '../unhandled/unhandled-request.ts'
import { handleRequest } from './handle-request.ts'
import { Network } from './network.ts'

/** Hides from the index what a handler matches: the handler is asked about every request, in its place. */
function hideFromIndex<Kind extends Handler>(handler: Kind): Kind {
  return Object.defineProperties(handler, { route: { value: () => anyRoute }, key: { value: undefined } })
}

const baseUrl = 'https://app.test/shop/'
const words = ['a', 'b', 'A', 'caf\u00e9', '%41', '5', ''] as const
const names = ['One', 'Two', 'one'] as const

// The behavior of handlers that match.
type Behaviour = 'answer' | 'once' | 'leave' | 'leave at first' | 'generator' | 'generator, once' | 'pass' | 'throw'

const behaviour = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Behaviour>('answer') },
  fc.constantFrom<Behaviour[]>('once', 'leave', 'leave at first', 'generator', 'generator, once', 'pass', 'throw'),
)

interface Description {
  readonly behaviour: Behaviour
  /** Creates the handler. It is called twice, because handlers have state. */
  readonly create: (resolver: () => never, options: { once: boolean }) => Handler
}

function build({ behaviour: does, create }: Description, name: string): Handler {
  let turn = 0
  const text = () => HttpResponse.text(`${name}, ${(turn += 1)}`)
  const resolvers: Record<Behaviour, () => unknown> = {
    answer: text,
    once: text,
    leave: () => {},
    'leave at first': () => (turn === 0 ? void (turn += 1) : text()),
    *generator() {
      yield text()
      yield undefined
      return text()
    },
    *'generator, once'() {
      yield text()
      yield text()
    },
    pass: () => passthrough(),
    throw: () => {
      throw text()
    },
  }
  return create(resolvers[does] as () => never, { once: does.endsWith('once') })
}

const method = fc.constantFrom('get', 'post', 'all')
const origin = fc.constantFrom('https://app.test', 'https://api.test')
const segment = fc.oneof(fc.constantFrom(...words), fc.constantFrom(':p', ':p?', ':p+', ':p(\\d+)', '*', 'a*', ':p.:q'))
const path = fc
  .record({
    start: fc.oneof(
      fc.constantFrom('/', '', '*/', '//api.test/'),
      origin.map((text) => `${text}/`),
    ),
    segments: fc.array(segment, { maxLength: 3 }),
  })
  .map(({ start, segments }) => start + segments.join('/'))
  .filter((text) => text !== '' && !text.includes('/*a'))

const predicate = fc.oneof(
  { weight: 5, arbitrary: path },
  { weight: 1, arbitrary: fc.constantFrom(/\/a\b/, /^https:\/\/api\.test/, /b$/i) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ({ request }: { request: Request }) => request.url.includes('b'),
      async ({ request }: { request: Request }) => ({ matches: request.method === 'POST', params: {} }),
    ),
  },
)

const httpHandler = fc
  .record({ behaviour, method, predicate })
  .map(({ behaviour: does, method: factory, predicate: given }): Description => ({
    behaviour: does,
    create: (resolver, options) => http[factory](given as string, resolver, options),
  }))

const link = fc.constantFrom(undefined, 'https://api.test/graphql', '/graphql', '*/:any', /graphql$/)
const graphqlHandler = fc
  .record({
    behaviour,
    link,
    kind: fc.constantFrom('query', 'mutation', 'operation'),
    name: fc.constantFrom(...names, /^T/),
  })
  .map(({ behaviour: does, link: url, kind, name }): Description => ({
    behaviour: does,
    create(resolver, options) {
      const maker = url === undefined ? graphql : graphql.link(url)
      return kind === 'operation' ? maker.operation(resolver) : maker[kind as 'query'](name, resolver, options)
    },
  }))

const descriptions = fc.array(fc.oneof({ weight: 3, arbitrary: httpHandler }, graphqlHandler), { maxLength: 8 })

// Changes between requests.
type Step =
  | { readonly type: 'request'; readonly create: () => Request }
  | { readonly type: 'use' | 'reset' | 'swap'; readonly handlers: readonly Description[] }
  | { readonly type: 'install'; readonly token: string; readonly handlers: readonly Description[] }
  | { readonly type: 'remove'; readonly token: string }
  | { readonly type: 'switch'; readonly place: number }
  | { readonly type: 'restore' }

const plainRequest = fc
  .record({
    origin,
    segments: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
    method: fc.constantFrom('GET', 'POST'),
  })
  .map(
    ({ origin: at, segments, method: verb }) =>
      () =>
        new Request(`${at}/${segments.join('/')}`, { method: verb }),
  )

const operation = fc
  .record({ type: fc.constantFrom('query', 'mutation'), name: fc.constantFrom(...names, 'Other', '') })
  .map(({ type, name }) => ({ query: `${type} ${name} { a }` }))
const endpoint = fc.tuple(origin, fc.constantFrom('/graphql', '/a')).map((parts) => parts.join(''))
// No batches: their operations are decided concurrently, so their order may differ.
const graphqlRequest = fc.oneof(
  fc.tuple(endpoint, operation).map(
    ([url, body]) =>
      () =>
        new Request(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
  ),
  fc.tuple(endpoint, operation).map(
    ([url, { query }]) =>
      () =>
        new Request(`${url}?query=${encodeURIComponent(query)}`),
  ),
)

const token = fc.constantFrom('story', 'test')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant('request' as const), create: fc.oneof(plainRequest, graphqlRequest) }),
  },
  fc.record({ type: fc.constantFrom('use' as const, 'reset' as const, 'swap' as const), handlers: descriptions }),
  fc.record({ type: fc.constant('install' as const), token, handlers: descriptions }),
  fc.record({ type: fc.constant('remove' as const), token }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('switch' as const), place: fc.nat(20) }) },
  fc.constant<Step>({ type: 'restore' }),
)

/** A network that records what happens to its requests. */
class Recorded {
  readonly happened: string[] = []
  readonly #network: Network
  readonly #isIndexed: boolean
  #made = 0

  constructor(isIndexed: boolean) {
    this.#isIndexed = isIndexed
    const layers = new HandlerLayers([])
    const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
    this.#network = new Network([], { baseUrl, unhandled, chooseLayers: () => layers })
    this.#network.events.on('request:match', ({ handler }) => {
      this.happened.push(`  matched by ${handler.info.header}`)
    })
    this.#network.events.on('request:unhandled', () => {
      this.happened.push('  unhandled')
    })
  }

  async take(next: Step): Promise<void> {
    const { layers } = this.#network
    switch (next.type) {
      case 'use':
        layers.use(this.#build(next.handlers))
        return
      case 'reset':
        layers.reset(this.#build(next.handlers))
        return
      case 'swap':
        layers.replaceInitial([
          ...this.#build(next.handlers),
          ...layers
            .entries()
            .slice(-2)
            .map(({ handler }) => handler),
        ])
        return
      case 'install':
        layers.install(next.token, this.#build(next.handlers))
        return
      case 'remove':
        layers.remove(next.token)
        return
      case 'switch': {
        const entries = layers.entries()
        const entry = entries[next.place % entries.length]
        if (entry) layers.change([entry], { enabled: !entry.enabled })
        return
      }
      case 'restore':
        layers.restore()
        return
      case 'request': {
        const request = next.create()
        this.happened.push(`${request.method} ${request.url}`)
        const outcome = await handleRequest(request, this.#network)
        const text = outcome.type === 'mocked' ? await outcome.response.text() : ''
        const hits = layers.entries().map((entry) => entry.hits)
        this.happened.push(`  ${outcome.type} ${text}`, `  ${hits.join(' ')}`)
      }
    }
  }

  #build(handlers: readonly Description[]): Handler[] {
    const built = handlers.map((handler) => build(handler, `handler ${(this.#made += 1)}`))
    return this.#isIndexed ? built : built.map(hideFromIndex)
  }
}

it('decides as if every handler were asked about every request', { timeout: 60_000 }, async () => {
  // Anonymous operations cause warnings.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      descriptions,
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      async (initial, steps) => {
        const indexed = new Recorded(true)
        const scanned = new Recorded(false)
        for (const next of [{ type: 'use', handlers: initial } as const, ...steps]) {
          await indexed.take(next)
          await scanned.take(next)
        }
        expect(indexed.happened).toEqual(scanned.happened)
        for (const line of scanned.happened) {
          const kind = line.trim().split(' ')[0] ?? ''
          counts.set(kind, (counts.get(kind) ?? 0) + 1)
        }
      },
    ),
    { numRuns: 200 },
  )
  // An outcome that never occurred would prove nothing.
  for (const kind of ['mocked', 'matched', 'passthrough', 'unhandled']) expect(counts.get(kind)).toBeGreaterThan(30)
})
