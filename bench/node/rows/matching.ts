import {
  answer,
  createHandlers,
  lastPath,
  load,
  msw2,
  msw3,
  origin,
  specifiersOf,
  understudy,
  type MswLike,
  type ServerEntry,
} from '../../subjects/msw-like.ts'
import { expectAnswer, type NodeRow } from '../node-row.ts'

const index = 'an ordered index'
const perCall = 'Understudy, getResponse'

/** Finds the handler of a request, without interception. */
export const matching: NodeRow = {
  id: 'node-matching',
  title: 'Node: matching only, the last handler',
  unit: '/s',
  variantsAre: 'handlers',
  note: 'A new `Request` for each call. Understudy: `createFetchHandler(handlers)`. MSW: `getResponse(handlers, request)`, its only API for this. Understudy’s `getResponse()` checks on each call whether the list has changed. The floor looks up method and URL in a `Map` and returns `Response.json()`.',
  cells: [understudy, perCall, msw3, msw2, index].flatMap((subject) =>
    [10, 1000, 10_000].map((variant) => ({ subject, variant })),
  ),
  goals: [
    ...[1000, 10_000].map((variant) => ({
      subject: understudy,
      variant,
      atLeast: 0.5,
      than: { subject: index, variant },
    })),
    { subject: understudy, variant: 10_000, atMost: 1.1, of: { subject: understudy, variant: 10 } },
  ],
  floor: index,
  whyMissed:
    'The time is the same for 10 handlers and for 10,000. The floor looks up a fixed URL. Understudy also reads path parameters, keeps the order of handlers, reads cookies, emits events and watches for aborts.',
  async prepare(subject, count) {
    const respond = await createResponder(subject, count)
    await expectAnswer(await respond(new Request(origin + lastPath)), answer)
    return { run: () => respond(new Request(origin + lastPath)) }
  },
}

async function createResponder(
  subject: string,
  count: number,
): Promise<(request: Request) => Promise<Response | undefined>> {
  if (subject === index) {
    const routes = new Map(
      Array.from({ length: count }, (_, place) => [`GET ${origin}/items-${place}`, () => Response.json({ place })]),
    )
    routes.set(`GET ${origin}${lastPath}`, () => Response.json(answer))
    return async ({ method, url }) => routes.get(`${method} ${url}`)?.()
  }
  const core = await load<MswLike>(specifiersOf(subject === perCall ? understudy : subject).core)
  const handlers = createHandlers(core, count)
  if (subject === understudy) {
    const { createFetchHandler } = await load<ServerEntry>('@understudy/engine/server')
    return createFetchHandler(handlers)
  }
  return (request) => core.getResponse(handlers, request)
}
