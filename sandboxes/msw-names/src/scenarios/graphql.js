/**
 * GraphQL: which operation a handler answers, the arguments of its resolver, and the response. MSW 3 has links only.
 */

const post = (kit, body, path = '/graphql') =>
  kit.ask(`${kit.api}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** A link, its handlers, and the answers to some bodies. */
const answering = (createHandlers, bodies, strategy) => async (kit) => {
  kit.listen(createHandlers(kit.graphql.link(`${kit.api}/graphql`), kit), strategy ?? 'error')
  const answers = []
  for (const body of bodies) answers.push(await post(kit, body))
  return answers
}

export const scenarios = {
  'operations by name': answering(
    (link, { HttpResponse }) => [
      link.query('GetUser', () => HttpResponse.json({ data: { user: 'query' } })),
      link.mutation('GetUser', () => HttpResponse.json({ data: { user: 'mutation' } })),
    ],
    [
      { query: 'query GetUser { user }' },
      { query: 'mutation GetUser { user }' },
      { query: 'query Other { user }' },
      { query: 'query getuser { user }' },
    ],
  ),
  variables: answering(
    (link, { HttpResponse }) => [
      link.query('A', ({ variables, query, operationName }) =>
        HttpResponse.json({ data: { variables, query, operationName } }),
      ),
    ],
    [
      { query: 'query A($a: Int) { a }', variables: { a: 1, b: { c: [null] } } },
      { query: 'query A { a }' },
      { query: 'query A { a }', variables: null },
    ],
  ),
  'the name of a document with several operations': answering(
    (link, { HttpResponse }) => [link.operation(({ operationName }) => HttpResponse.json({ data: { operationName } }))],
    [
      { query: 'query A { a } query B { b }', operationName: 'B' },
      { query: 'query A { a }', operationName: 'A' },
    ],
  ),
  'anonymous operations': answering(
    (link, { HttpResponse }) => [
      link.operation(({ operationName }) => HttpResponse.json({ data: { name: operationName ?? 'none' } })),
    ],
    [{ query: '{ a }' }, { query: 'query { a }' }, { query: 'mutation { a }' }],
  ),
  'regular expressions': answering(
    (link, { HttpResponse }) => [
      link.query(/^Get/, ({ operationName }) => HttpResponse.json({ data: { operationName } })),
    ],
    [{ query: 'query GetA { a }' }, { query: 'query Other { a }' }],
  ),
  'a custom predicate': answering(
    (link, { HttpResponse }) => [
      link.query(
        ({ operationName, variables }) => operationName === 'A' && variables?.id === 1,
        () => HttpResponse.json({ data: { one: true } }),
      ),
      link.operation(() => HttpResponse.json({ data: { other: true } })),
    ],
    [
      { query: 'query A($id: Int) { a }', variables: { id: 1 } },
      { query: 'query A($id: Int) { a }', variables: { id: 2 } },
    ],
  ),
  'data with errors and extensions': answering(
    (link, { HttpResponse }) => [
      link.query('A', () =>
        HttpResponse.json({
          data: { a: null },
          errors: [{ message: 'no', path: ['a'], locations: [{ line: 1, column: 1 }], extensions: { code: 'X' } }],
          extensions: { cost: 1 },
        }),
      ),
    ],
    [{ query: 'query A { a }' }],
  ),
  'a status and a header': async (kit) => {
    const { graphql, HttpResponse, listen, api } = kit
    listen([
      graphql
        .link(`${api}/graphql`)
        .query('A', () => HttpResponse.json({ errors: [] }, { status: 401, headers: { 'X-A': '1' } })),
    ])
    const response = await fetch(`${api}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'query A { a }' }),
    })
    return [response.status, response.headers.get('x-a'), response.headers.get('content-type')]
  },
  'a network error': answering(
    (link, { HttpResponse }) => [link.query('A', () => HttpResponse.error())],
    [{ query: 'query A { a }' }],
  ),
  'a resolver that returns nothing': answering(
    (link, { HttpResponse }) => [
      link.query('A', () => {}),
      link.operation(() => HttpResponse.json({ data: { next: true } })),
    ],
    [{ query: 'query A { a }' }],
  ),
  'once and a generator': answering(
    (link, { HttpResponse }) => [
      link.query('A', () => HttpResponse.json({ data: 'once' }), { once: true }),
      link.query('A', function* () {
        yield HttpResponse.json({ data: 1 })
        yield HttpResponse.json({ data: 2 })
      }),
    ],
    Array.from({ length: 4 }, () => ({ query: 'query A { a }' })),
  ),
  passthrough: async (kit) => {
    const { graphql, passthrough, listen, real, ask } = kit
    listen([graphql.link(`${real}/graphql`).query('A', () => passthrough())])
    return ask(`${real}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'query A { a }' }),
    })
  },
  'a GET request': async (kit) => {
    const { graphql, HttpResponse, listen, api, ask } = kit
    listen([
      graphql
        .link(`${api}/graphql`)
        .query('A', ({ variables, request }) => HttpResponse.json({ data: { variables, method: request.method } })),
    ])
    const search = new URLSearchParams({ query: 'query A($a: Int) { a }', variables: '{"a":1}' })
    return ask(`${api}/graphql?${search}`)
  },
  'a form with files': async (kit) => {
    const { graphql, HttpResponse, listen, api, ask } = kit
    listen([
      graphql.link(`${api}/graphql`).mutation('Upload', async ({ variables }) =>
        HttpResponse.json({
          data: {
            file: [variables.file?.name, await variables.file?.text()],
            files: variables.files?.map(({ name }) => name),
            note: variables.note,
          },
        }),
      ),
    ])
    const body = new FormData()
    const query = 'mutation Upload($file: Upload!, $files: [Upload!]!, $note: String) { upload }'
    body.set('operations', JSON.stringify({ query, variables: { file: null, files: [null, null], note: 'x' } }))
    body.set('map', JSON.stringify({ 0: ['variables.file'], 1: ['variables.files.0'], 2: ['variables.files.1'] }))
    for (const name of ['0', '1', '2']) body.set(name, new File([`content ${name}`], `${name}.txt`))
    return ask(`${api}/graphql`, { method: 'POST', body })
  },
  'several links': async (kit) => {
    const { graphql, HttpResponse, listen, api } = kit
    listen([
      graphql.link(`${api}/one`).query('A', () => HttpResponse.json({ data: 'one' })),
      graphql.link(`${api}/two`).query('A', () => HttpResponse.json({ data: 'two' })),
      graphql.link(/\/any\//).query('A', () => HttpResponse.json({ data: 'any' })),
    ])
    const body = { query: 'query A { a }' }
    return [await post(kit, body, '/one'), await post(kit, body, '/two'), await post(kit, body, '/any/x')]
  },
  'an HTTP handler for the same path': async (kit) => {
    const { graphql, http, HttpResponse, listen, api } = kit
    listen([
      graphql.link(`${api}/graphql`).query('A', () => HttpResponse.json({ data: 'graphql' })),
      http.post(`${api}/graphql`, () => HttpResponse.text('http')),
    ])
    return [await post(kit, { query: 'query A { a }' }), await post(kit, { query: 'query B { a }' })]
  },
  'bodies that are not GraphQL': async (kit) => {
    const { graphql, http, HttpResponse, listen, api } = kit
    listen([
      graphql.link(`${api}/graphql`).operation(() => HttpResponse.json({ data: 'graphql' })),
      http.post(`${api}/graphql`, () => HttpResponse.text('http')),
    ])
    const answers = []
    for (const body of [{ a: 1 }, [], 'text', '', { query: 5 }]) answers.push(await post(kit, body))
    return answers
  },
  'the body of the request in a resolver': answering(
    (link, { HttpResponse }) => [
      link.query('A', async ({ request }) => HttpResponse.json({ data: await request.json() })),
    ],
    [{ query: 'query A { a }', variables: { a: 1 } }],
  ),
  'cookies and headers': async (kit) => {
    const { graphql, HttpResponse, listen, api, ask } = kit
    listen([
      graphql
        .link(`${api}/graphql`)
        .query('A', ({ request, cookies }) =>
          HttpResponse.json({ data: { token: request.headers.get('authorization'), cookies } }),
        ),
    ])
    return ask(`${api}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer x', Cookie: 'a=1' },
      body: JSON.stringify({ query: 'query A { a }' }),
    })
  },
  'use and reset': async (kit) => {
    const { graphql, HttpResponse, listen, api } = kit
    const link = graphql.link(`${api}/graphql`)
    const server = listen([link.query('A', () => HttpResponse.json({ data: 'initial' }))])
    const body = { query: 'query A { a }' }
    server.use(link.query('A', () => HttpResponse.json({ data: 'used' })))
    const answers = [await post(kit, body)]
    server.resetHandlers()
    answers.push(await post(kit, body))
    return answers
  },
}
