/** The order of handlers, and the functions that add, reset and restore them. */
export const scenarios = {
  'use: one call': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('initial'))])
    server.use(
      http.get(`${api}/a`, () => HttpResponse.text('first')),
      http.get(`${api}/a`, () => HttpResponse.text('second')),
    )
    return ask(`${api}/a`)
  },
  'use: two calls': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([])
    server.use(http.get(`${api}/a`, () => HttpResponse.text('first')))
    server.use(http.get(`${api}/a`, () => HttpResponse.text('second')))
    return ask(`${api}/a`)
  },
  'use without a handler': async ({ listen }) => {
    const server = listen([])
    server.use()
    return server.listHandlers().length
  },
  'use with an array': async ({ http, HttpResponse, listen }) => {
    const server = listen([])
    try {
      server.use([http.get('/a', () => HttpResponse.text('a'))])
      return 'no error'
    } catch {
      return 'error'
    }
  },
  'names of classes': ({
    http,
    graphql,
    ws,
    HttpResponse,
    HttpHandler,
    GraphQLHandler,
    RequestHandler,
    WebSocketHandler,
  }) => {
    const resolver = () => HttpResponse.text('a')
    const instances = [
      http.get('/a', resolver),
      graphql.link('http://localhost/graphql').query('A', resolver),
      ws.link('ws://localhost').addEventListener('connection', () => {}),
      HttpResponse.text('a'),
    ]
    return [
      ...[HttpHandler, GraphQLHandler, RequestHandler, WebSocketHandler, HttpResponse].map(({ name }) => name),
      ...instances.map((instance) => instance.constructor.name),
    ]
  },
  'a handler without a resolver': async ({ http, api }) => {
    try {
      return http.get(`${api}/a`).info.header
    } catch {
      return 'error'
    }
  },
  'listen twice': async ({ listen, http, HttpResponse, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('mocked'))])
    try {
      server.listen()
    } catch {
      return 'error'
    }
    return ask(`${api}/a`)
  },
  'setupServer with an array': async ({ http, HttpResponse, setupServer }) => {
    try {
      setupServer([http.get('/a', () => HttpResponse.text('a'))])
      return 'no error'
    } catch {
      return 'error'
    }
  },
  'a handler used once': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('initial'))])
    server.use(http.get(`${api}/a`, () => HttpResponse.text('once'), { once: true }))
    const answers = [await ask(`${api}/a`), await ask(`${api}/a`)]
    server.restoreHandlers()
    answers.push(await ask(`${api}/a`), await ask(`${api}/a`))
    server.resetHandlers()
    answers.push(await ask(`${api}/a`))
    return answers
  },
  'an initial handler used once, after a reset': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen(
      [
        http.get(`${api}/a`, () => HttpResponse.text('once'), { once: true }),
        http.get(`${api}/a`, () => HttpResponse.text('then')),
      ],
      'bypass',
    )
    const answers = [await ask(`${api}/a`), await ask(`${api}/a`)]
    server.resetHandlers()
    answers.push(await ask(`${api}/a`))
    server.restoreHandlers()
    answers.push(await ask(`${api}/a`))
    return answers
  },
  'a handler used once that returns nothing': async ({ http, HttpResponse, listen, api, ask }) => {
    let calls = 0
    listen([
      http.get(
        `${api}/a`,
        () => {
          calls++
        },
        { once: true },
      ),
      http.get(`${api}/a`, () => HttpResponse.text('then')),
    ])
    return [await ask(`${api}/a`), await ask(`${api}/a`), calls]
  },
  'two requests at once to a handler used once': async ({ http, HttpResponse, delay, listen, api, ask }) => {
    listen([
      http.get(
        `${api}/a`,
        async () => {
          await delay(20)
          return HttpResponse.text('once')
        },
        { once: true },
      ),
      http.get(`${api}/a`, () => HttpResponse.text('then')),
    ])
    return Promise.all([ask(`${api}/a`), ask(`${api}/a`)])
  },
  'a generator, and its restart on reset and restore': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([
      http.get(`${api}/a`, function* () {
        yield HttpResponse.text('1')
        yield HttpResponse.text('2')
        return HttpResponse.text('3')
      }),
    ])
    const answers = []
    for (let count = 0; count < 4; count++) answers.push(await ask(`${api}/a`))
    server.resetHandlers()
    answers.push('reset', await ask(`${api}/a`))
    server.restoreHandlers()
    answers.push('restore', await ask(`${api}/a`))
    return answers
  },
  'an asynchronous generator': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/a`, async function* () {
        let count = 0
        while (count < 2) {
          count++
          yield HttpResponse.text(String(count))
        }
        return HttpResponse.text('end')
      }),
    ])
    return [await ask(`${api}/a`), await ask(`${api}/a`), await ask(`${api}/a`), await ask(`${api}/a`)]
  },
  'a generator that ends without a response': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/a`, function* () {
        yield HttpResponse.text('1')
      }),
      http.get(`${api}/a`, () => HttpResponse.text('next')),
    ])
    return [await ask(`${api}/a`), await ask(`${api}/a`), await ask(`${api}/a`)]
  },
  'a generator handler that is used again': async ({ http, HttpResponse, listen, api, ask }) => {
    const handler = http.get(`${api}/a`, function* () {
      yield HttpResponse.text('1')
      yield HttpResponse.text('2')
    })
    const server = listen([])
    server.use(handler)
    const answers = [await ask(`${api}/a`), await ask(`${api}/a`)]
    server.resetHandlers()
    server.use(handler)
    return [...answers, await ask(`${api}/a`)]
  },
  'reset with handlers, then without': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('initial'))], 'error')
    server.use(http.get(`${api}/a`, () => HttpResponse.text('used')))
    server.resetHandlers(http.get(`${api}/a`, () => HttpResponse.text('next')))
    const answers = [await ask(`${api}/a`)]
    server.use(http.get(`${api}/a`, () => HttpResponse.text('used')))
    answers.push(await ask(`${api}/a`))
    server.resetHandlers()
    answers.push(await ask(`${api}/a`))
    return answers
  },
  'a list of handlers': async ({ http, graphql, ws, HttpResponse, listen, api }) => {
    const link = ws.link('wss://a.example.com')
    const server = listen([
      http.get(`${api}/a`, () => HttpResponse.text('a')),
      http.all('*', () => {}),
      http.post(/b/, () => {}),
      graphql.link(`${api}/graphql`).query('A', () => {}),
      link.addEventListener('connection', () => {}),
    ])
    server.use(http.put('/c', () => {}))
    return server.listHandlers().map((handler) => ({
      header: handler.info?.header,
      method: handler.info?.method && String(handler.info.method),
      path: handler.info?.path && String(handler.info.path),
      operationName: handler.info?.operationName,
      isUsed: handler.isUsed,
      kind: handler.kind,
    }))
  },
  'the list is frozen': async ({ listen }) => Object.isFrozen(listen([]).listHandlers()),
  'handlers after close and a second listen': async ({ http, HttpResponse, listen, real, ask }) => {
    const server = listen([http.get(`${real}/a`, () => HttpResponse.text('initial'))], 'bypass')
    server.use(http.get(`${real}/a`, () => HttpResponse.text('used')))
    const answers = [await ask(`${real}/a`)]
    server.close()
    answers.push(await ask(`${real}/a`))
    server.listen()
    answers.push(await ask(`${real}/a`))
    return answers
  },
  'use before listen': async ({ http, HttpResponse, setupServer, api, ask }) => {
    const server = setupServer()
    server.use(http.get(`${api}/a`, () => HttpResponse.text('used')))
    server.listen()
    const answer = await ask(`${api}/a`)
    server.close()
    return answer
  },
  'close twice, and close without listen': async ({ setupServer }) => {
    const server = setupServer()
    const outcomes = []
    for (const act of [() => server.close(), () => server.listen(), () => server.close(), () => server.close()]) {
      try {
        act()
        outcomes.push('no error')
      } catch {
        outcomes.push('error')
      }
    }
    return outcomes
  },
  'two servers, the later one first': async ({ http, HttpResponse, listen, api, ask }) => {
    listen(
      [http.get(`${api}/a`, () => HttpResponse.text('first')), http.get(`${api}/b`, () => HttpResponse.text('first'))],
      'bypass',
    )
    const second = listen([http.get(`${api}/a`, () => HttpResponse.text('second'))], 'bypass')
    const answers = [await ask(`${api}/a`), await ask(`${api}/b`)]
    second.close()
    answers.push(await ask(`${api}/a`))
    return answers
  },
  boundary: async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('initial'))])
    server.use(http.get(`${api}/b`, () => HttpResponse.text('used outside')))
    const log = []
    await server.boundary(async () => {
      log.push(await ask(`${api}/a`), await ask(`${api}/b`))
      server.use(http.get(`${api}/a`, () => HttpResponse.text('inside')))
      log.push(await ask(`${api}/a`))
      await server.boundary(async () => {
        log.push(`nested ${await ask(`${api}/a`)}`)
        server.use(http.get(`${api}/a`, () => HttpResponse.text('nested')))
        log.push(await ask(`${api}/a`))
        server.resetHandlers()
        log.push(`nested, reset ${await ask(`${api}/a`)}`)
      })()
      log.push(await ask(`${api}/a`))
      server.resetHandlers()
      log.push(`reset ${await ask(`${api}/a`)} ${await ask(`${api}/b`)}`)
    })()
    log.push(await ask(`${api}/a`), await ask(`${api}/b`))
    return log
  },
  'boundaries at the same time': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('initial'))])
    const run = (text, ms) =>
      server.boundary(async () => {
        server.use(http.get(`${api}/a`, () => HttpResponse.text(text)))
        await later(ms)
        return ask(`${api}/a`)
      })()
    return Promise.all([run('one', 20), run('two', 5), ask(`${api}/a`)])
  },
  'what a boundary returns and throws': async ({ listen }) => {
    const server = listen([])
    const returned = server.boundary((a, b) => a + b)(1, 2)
    let thrown
    try {
      server.boundary(() => {
        throw new Error('mine')
      })()
    } catch (error) {
      thrown = error.message
    }
    return [returned, thrown]
  },
  'listHandlers in a boundary': async ({ http, listen }) => {
    const server = listen([http.get('/a', () => {})])
    const counts = []
    server.boundary(() => {
      server.use(http.get('/b', () => {}))
      counts.push(server.listHandlers().length)
    })()
    return [...counts, server.listHandlers().length]
  },
  getResponse: async ({ http, HttpResponse, getResponse, api }) => {
    const handlers = [
      http.get(`${api}/a`, () => HttpResponse.text('a')),
      http.get(`${api}/throws`, () => {
        throw new Error('mine')
      }),
      http.get(`${api}/nothing`, () => {}),
    ]
    const outcomes = []
    for (const path of ['/a', '/b', '/throws', '/nothing']) {
      try {
        const response = await getResponse(handlers, new Request(`${api}${path}`))
        outcomes.push(response ? response.status : String(response))
      } catch {
        outcomes.push('error')
      }
    }
    return outcomes
  },
  'a custom predicate': async ({ http, HttpResponse, listen, api, ask }) => {
    listen(
      [
        http.get(
          ({ request }) => new URL(request.url).searchParams.has('x'),
          ({ params }) => HttpResponse.json(params),
        ),
      ],
      'bypass',
    )
    return ask(`${api}/a?x=1`)
  },
}
