/** Requests that no handler matches. */
const strategies = {
  none: undefined,
  bypass: 'bypass',
  warn: 'warn',
  error: 'error',
  nothing: () => {},
  throws: () => {
    throw new Error('of the callback')
  },
  rejects: async () => {
    throw new Error('of the callback')
  },
}

/** The names of console methods, and whether the text contains method and URL. */
const shape = (printed, url) =>
  printed.map(
    ([method, text]) => `${method}${text.includes('GET') && text.includes(url) ? ' with method and URL' : ''}`,
  )

export const scenarios = {
  ...Object.fromEntries(
    Object.entries(strategies).map(([name, strategy]) => [
      `strategy ${name}`,
      async ({ listen, real, ask, printed }) => {
        listen([], strategy)
        return { answer: await ask(`${real}/a`), printed: printed().map(([method]) => method) }
      },
    ]),
  ),
  'print.warning in a callback': async ({ listen, real, ask, printed, library }) => {
    listen([], library === 'msw-3' ? ({ defaults }) => defaults.warn() : (_request, print) => print.warning())
    return { answer: await ask(`${real}/a`), printed: shape(printed(), '/a') }
  },
  'print.error in a callback': async ({ listen, real, ask, printed, library }) => {
    listen([], library === 'msw-3' ? ({ defaults }) => defaults.error() : (_request, print) => print.error())
    return { answer: await ask(`${real}/a`), printed: shape(printed(), '/a') }
  },
  'what the callback gets': async ({ listen, real, ask, library }) => {
    const got = []
    listen([], (first, second) => {
      const request = library === 'msw-3' ? first.frame.data.request : first
      got.push(request.method, request.url, typeof second)
    })
    await ask(`${real}/a?b=1`)
    return got.slice(0, 2)
  },
  'the callback reads the body': async ({ listen, real, ask, library }) => {
    const got = []
    listen([], async (first) => {
      const request = library === 'msw-3' ? first.frame.data.request : first
      got.push(await request.clone().text())
    })
    const answer = await ask(`${real}/a`, { method: 'POST', body: 'x' })
    return { answer, got }
  },
  'common assets': async ({ listen, real, ask, printed }) => {
    listen([], 'error')
    const answers = []
    for (const path of ['/a.png', '/a.css', '/a.js', '/node_modules/a', '/a.json', '/a.woff2', '/a.html']) {
      answers.push(`${path} ${(await ask(`${real}${path}`)).slice(0, 3)}`)
    }
    return { answers, printed: printed().length }
  },
  'an unknown strategy': async ({ listen, real, ask }) => {
    try {
      listen([], 'unknown')
      return (await ask(`${real}/a`)).slice(0, 3)
    } catch {
      return 'error'
    }
  },
  'a handler that returns nothing is handled': async ({ http, listen, real, ask, printed }) => {
    listen([http.get(`${real}/a`, () => {})], 'error')
    return { answer: await ask(`${real}/a`), printed: printed().length }
  },
  'passthrough is handled': async ({ http, passthrough, listen, real, ask, printed }) => {
    listen([http.get(`${real}/a`, () => passthrough())], 'error')
    return { answer: await ask(`${real}/a`), printed: printed().length }
  },
  'bypass is handled': async ({ bypass, listen, real, ask, printed }) => {
    listen([], 'error')
    return { answer: await ask(bypass(`${real}/a`)), printed: printed().length }
  },
  'an HTTP client other than fetch': async ({ listen, real, printed }) => {
    listen([], 'error')
    const { default: client } = await import('node:http')
    const error = await new Promise((resolve) =>
      client.get(`${real}/a`, (response) => resolve({ name: response.statusCode })).on('error', resolve),
    )
    return { isError: error instanceof Error, printed: printed().map(([method]) => method) }
  },
  'a GraphQL operation that no handler matches': async ({ graphql, HttpResponse, listen, real, ask, printed }) => {
    const make = graphql.query ?? graphql.link(`${real}/graphql`).query
    listen([make('Other', () => HttpResponse.json({ data: {} }))], 'warn')
    const answer = await ask(`${real}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'query Mine { a }' }),
    })
    return { answer, printed: printed().map(([method]) => method) }
  },
}
