import {
  load,
  msw2,
  msw3,
  origin,
  specifiersOf,
  understudy,
  type GraphqlLike,
  type MswLike,
  type ServerEntry,
} from '../../subjects/msw-like.ts'
import { expectAnswer, type NodeRow } from '../node-row.ts'

const parsing = 'JSON.parse and graphql parse'
const endpoint = `${origin}/graphql`
const query = 'query Last($id: ID!) { item(id: $id) { id name } }'
const body = JSON.stringify({ query, variables: { id: '1' } })
const expected = { data: { item: { id: '1', name: 'The item' } } }

/** Matches GraphQL operations by their names. */
export const graphqlMatching: NodeRow = {
  id: 'node-graphql-matching',
  title: 'Node: GraphQL matching only, the last operation',
  unit: '/s',
  variantsAre: 'handlers',
  note: 'As above, with `graphql.link(url).query(name, …)`. The floor parses the body as JSON and the document as GraphQL, and returns a response.',
  cells: [understudy, msw3, msw2, parsing].flatMap((subject) => [1, 1000].map((variant) => ({ subject, variant }))),
  goals: [1, 1000].map((variant) => ({
    subject: understudy,
    variant,
    atLeast: 0.6,
    than: { subject: parsing, variant },
  })),
  floor: parsing,
  whyMissed:
    'The floor parses the JSON and the document. Understudy also finds the endpoint, keeps the order of handlers, reads cookies, emits events and checks the protocol of the response. It reads the body once and does not copy it.',
  async prepare(subject, count) {
    const respond = await createResponder(subject, count)
    await expectAnswer(await respond(createRequest()), expected)
    return { run: () => respond(createRequest()) }
  },
}

function createRequest(): Request {
  return new Request(endpoint, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
}

async function createResponder(
  subject: string,
  count: number,
): Promise<(request: Request) => Promise<Response | undefined>> {
  if (subject === parsing) {
    const { parse } = await load<{
      readonly parse: (source: string) => { definitions: readonly { name?: { value: string } }[] }
    }>('graphql')
    return async (request) => {
      const { query: source } = (await request.json()) as { query: string }
      return parse(source).definitions[0]?.name?.value === 'Last' ? Response.json(expected) : undefined
    }
  }
  const specifiers = specifiersOf(subject)
  const core = await load<MswLike>(specifiers.core)
  const { graphql } = await load<GraphqlLike>(specifiers.graphql)
  const link = graphql.link(endpoint)
  const handlers = Array.from({ length: count }, (_, place) =>
    link.query(place === count - 1 ? 'Last' : `Query${place}`, () => core.HttpResponse.json(expected)),
  )
  if (subject === understudy) {
    const { createFetchHandler } = await load<ServerEntry>('@understudy/engine/server')
    return createFetchHandler(handlers)
  }
  return (request) => core.getResponse(handlers, request)
}
