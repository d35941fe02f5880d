import {
  answer,
  load,
  mswLikes,
  msw2,
  msw3,
  origin,
  specifiersOf,
  understudy,
  understudyWithRequest,
  type NodeLike,
} from '../../subjects/msw-like.ts'
import { expectAnswer, type NodeRow } from '../node-row.ts'

interface WaitingLike {
  readonly http: { get(path: string, resolver: (info: { request: Request }) => Promise<Response>): object }
  readonly HttpResponse: { json(body: unknown): Response }
}

const stub = 'a stub with Request and Response'
const count = 10_000
const path = '/waiting'

/** Measures the memory of requests that wait for their handler. */
export const memory: NodeRow = {
  id: 'node-memory',
  title: 'Node: memory per mocked fetch, while 10,000 wait for their handler',
  unit: 'KiB',
  note: 'Heap and memory outside of it after a garbage collection, less those before, per request. The floor creates a `Request`, waits, and creates a `Response`. Understudy creates the `Request` of `fetch(url)` when a handler reads it, as in “request read”.',
  cells: [understudy, understudyWithRequest, msw3, msw2, stub].map((subject) => ({ subject })),
  goals: [{ subject: understudy, atMost: 1.5, of: { subject: stub } }],
  floor: stub,
  whyMissed:
    'Two fifths is what the functions of the decision keep: the call of fetch, the decision, and the question to the handlers. One object for all of them would save most of it, but no function would show the life of a request from top to bottom. The rest is the resolver, the URL, the parameters, and the arguments of the resolver. The floor keeps a request and one function.',
  async prepare(subject) {
    let waiting = 0
    let { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const wait = (): Promise<void> => {
      waiting += 1
      return opened
    }
    await mockFetch(subject, wait)
    return {
      async measure() {
        ;({ promise: opened, resolve: open } = Promise.withResolvers<void>())
        waiting = 0
        const before = readMemory()
        const answers = Array.from({ length: count }, () => fetch(origin + path))
        while (waiting < count) {
          await new Promise((resolve) => {
            setImmediate(resolve)
          })
        }
        const used = readMemory() - before
        open()
        for (const response of await Promise.all(answers)) await expectAnswer(response, answer)
        return used / count / 1024
      },
    }
  },
}

function readMemory(): number {
  const { gc } = globalThis
  if (!gc) throw new Error('Failed to measure memory: the process has no gc(). Start it with --expose-gc.')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function mockFetch(subject: string, wait: () => Promise<void>): Promise<void> {
  if (!mswLikes.has(subject)) {
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      await wait()
      return request.url === origin + path ? Response.json(answer) : Response.error()
    }
    return
  }
  const { core, node } = specifiersOf(subject)
  const { http, HttpResponse } = await load<WaitingLike>(core)
  const { setupServer } = await load<NodeLike>(node)
  const handler = http.get(origin + path, async (info) => {
    if (subject === understudyWithRequest && info.request.method !== 'GET') return HttpResponse.json('another request')
    await wait()
    return HttpResponse.json(answer)
  })
  setupServer(handler).listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
}
