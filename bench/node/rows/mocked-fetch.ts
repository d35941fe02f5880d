import { listen } from '../../subjects/listening.ts'
import {
  answer,
  lastPath,
  load,
  mswLikes,
  msw2,
  msw3,
  origin,
  understudy,
  understudyWithRequest,
} from '../../subjects/msw-like.ts'
import type { FetchMock, Nock, Undici } from '../../subjects/peers.ts'
import { expectAnswer, readJson, type NodeRow } from '../node-row.ts'

const stub = 'a stub with Request and Response'
const nock = 'nock'
const fetchMock = 'fetch-mock'
const mockAgent = 'undici MockAgent'
const few = [understudy, msw3, msw2, nock, fetchMock, mockAgent, stub]

/** `fetch`, answered by a handler, and the answer's JSON read. */
export const mockedFetch: NodeRow = {
  id: 'node-mocked-fetch',
  title: 'Node: mocked fetch, the last handler',
  unit: '/s',
  variantsAre: 'handlers',
  note: '`await (await fetch(url)).json()`, one after the other. The floor creates a `Request` and a `Response`. Understudy creates the `Request` of `fetch(url)` when a handler reads it, as in “request read”.',
  cells: [
    ...few.flatMap((subject) => [1, 1000].map((variant) => ({ subject, variant }))),
    ...[understudy, fetchMock].flatMap((subject) => [10, 100].map((variant) => ({ subject, variant }))),
    { subject: understudy, variant: 10_000 },
    { subject: understudyWithRequest, variant: 1 },
  ],
  goals: [
    ...[1, 10, 100].map((variant) => ({
      subject: understudy,
      variant,
      atLeast: 1.3,
      than: { subject: fetchMock, variant },
    })),
    { subject: understudy, variant: 1, atLeast: 0.5, than: { subject: stub, variant: 1 } },
    { subject: understudy, variant: 1, atLeast: 20, than: { subject: msw3, variant: 1 } },
    { subject: understudy, variant: 1000, atLeast: 100, than: { subject: msw3, variant: 1000 } },
  ],
  floor: stub,
  whyMissed:
    'The time is the same for one handler and for 10,000. Half of it is creating the Response and reading its body. The rest is finding the handler, the arguments of the resolver, and freeing memory.',
  async prepare(subject, count) {
    await mockFetch(subject, count)
    await expectAnswer(await fetch(origin + lastPath), answer)
    return { run: async () => readJson(await fetch(origin + lastPath)) }
  },
}

async function mockFetch(subject: string, count: number): Promise<void> {
  if (mswLikes.has(subject)) {
    await listen(subject, count)
    return
  }
  const paths = Array.from({ length: count }, (_, place) => (place === count - 1 ? lastPath : `/items-${place}/1`))
  if (subject === stub) {
    globalThis.fetch = async (input, init) => {
      const { url } = new Request(input, init)
      return url === origin + lastPath ? Response.json(answer) : Response.error()
    }
  } else if (subject === nock) {
    const { default: mock } = await load<{ default: Nock }>('nock')
    for (const path of paths) mock(origin).persist().get(path).reply(200, answer)
  } else if (subject === fetchMock) {
    const { default: mock } = await load<{ default: FetchMock }>('fetch-mock')
    mock.mockGlobal()
    for (const path of paths) mock.route(origin + path, answer)
  } else {
    const { MockAgent, setGlobalDispatcher } = await load<Undici>('undici')
    const agent = new MockAgent()
    setGlobalDispatcher(agent)
    const headers = { 'content-type': 'application/json' }
    for (const path of paths)
      agent.get(origin).intercept({ path, method: 'GET' }).reply(200, answer, { headers }).persist()
  }
}
