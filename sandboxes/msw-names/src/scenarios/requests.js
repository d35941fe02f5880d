/** The arguments of resolvers, the requests that they match, and the requests that they send. */

/** Counts the macrotasks until the response has arrived and its body is read. */
async function countMacrotasks(run) {
  // Pending work of earlier scenarios belongs to earlier turns.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  let count = 0
  let immediate
  const next = () => {
    count += 1
    immediate = setImmediate(next)
  }
  immediate = setImmediate(next)
  const response = await run()
  await response.text()
  clearImmediate(immediate)
  return count
}

export const scenarios = {
  'macrotasks until a response is read': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(`${api}/text`, () => HttpResponse.text('a')),
      http.get(`${api}/json`, async () => HttpResponse.json({ a: 1 })),
      http.post(`${api}/echo`, async ({ request }) => HttpResponse.json(await request.json())),
      http.get(`${api}/empty`, () => new HttpResponse(null, { status: 204 })),
      http.get(`${api}/redirect`, () => HttpResponse.redirect(`${api}/text`)),
    ])
    // The first request of a process loads modules.
    await (await fetch(`${api}/text`)).text()
    const post = { method: 'POST', body: '{"a":1}' }
    return {
      text: await countMacrotasks(() => fetch(`${api}/text`)),
      json: await countMacrotasks(() => fetch(`${api}/json`)),
      echo: await countMacrotasks(() => fetch(`${api}/echo`, post)),
      request: await countMacrotasks(() => fetch(new Request(`${api}/echo`, post))),
      signal: await countMacrotasks(() => fetch(`${api}/text`, { signal: new AbortController().signal })),
      empty: await countMacrotasks(() => fetch(`${api}/empty`)),
      redirect: await countMacrotasks(() => fetch(`${api}/redirect`)),
    }
  },
  'what passthrough() and bypass() return': async ({ passthrough, bypass, real }) => {
    const through = passthrough()
    const request = bypass(new Request(`${real}/a`, { method: 'POST', body: 'x', headers: { 'X-A': '1' } }))
    return {
      isResponse: through instanceof Response,
      isRequest: request instanceof Request,
      method: request.method,
      header: request.headers.get('x-a'),
      body: await request.text(),
    }
  },
  'the Accept header of a bypassed request': async ({ bypass, listen, real, ask }) => {
    listen([], 'bypass')
    return [
      await ask(bypass(`${real}/accept`)),
      await ask(bypass(`${real}/accept`, { headers: { Accept: 'text/html' } })),
    ]
  },
  'a response patched by the real one': async ({ http, HttpResponse, bypass, listen, real, ask }) => {
    listen([
      http.get(`${real}/a`, async ({ request }) => {
        const response = await fetch(bypass(request))
        return HttpResponse.text(`patched ${await response.text()}`)
      }),
    ])
    return ask(`${real}/a`)
  },
  'a cloned response': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(`${api}/a`, () => {
        const response = HttpResponse.json({ a: 1 })
        return response.clone()
      }),
    ])
    const response = await fetch(`${api}/a`)
    const clone = response.clone()
    return [await response.text(), await clone.text()]
  },
  'one response for every request': async ({ http, HttpResponse, listen, api, ask }) => {
    const response = HttpResponse.text('a')
    listen([http.get(`${api}/a`, () => response)])
    return [await ask(`${api}/a`), (await ask(`${api}/a`)).slice(0, 5)]
  },
  'the request in a resolver': async ({ http, HttpResponse, listen, ask }) => {
    const api = 'https://request.example.com'
    listen([
      http.get(`${api}/login`, () => new HttpResponse(null, { headers: { 'Set-Cookie': 'stored=1' } })),
      http.post(`${api}/users/:id`, async ({ request, params, cookies }) =>
        HttpResponse.json({
          url: request.url,
          method: request.method,
          headers: [...request.headers].filter(
            ([name]) => !['user-agent', 'accept-language', 'sec-fetch-mode', 'accept-encoding'].includes(name),
          ),
          text: await request.clone().text(),
          params,
          cookies,
          credentials: request.credentials,
        }),
      ),
    ])
    await ask(`${api}/login`, { credentials: 'include' })
    return ask(`${api}/users/a%20b?c=1#hash`, { method: 'POST', body: 'x', headers: { Cookie: 'a=1; b=%20' } })
  },
  'cookies of a response, by credentials': async ({ http, HttpResponse, listen, ask }) => {
    const api = 'https://cookies.example.org'
    listen([
      http.get(`${api}/login`, () => new HttpResponse(null, { headers: { 'Set-Cookie': 'session=1' } })),
      http.get(`${api}/a`, ({ cookies }) => HttpResponse.json(cookies)),
    ])
    await ask(`${api}/login`, { credentials: 'include' })
    const answers = {}
    for (const credentials of ['include', 'same-origin', 'omit'])
      answers[credentials] = await ask(`${api}/a`, { credentials })
    return answers
  },
  'cookies by credentials of the request that sets them': async ({ http, HttpResponse, listen, ask }) => {
    const api = 'https://login.example.net'
    listen([
      http.get(
        `${api}/login/:name`,
        ({ params }) => new HttpResponse(null, { headers: { 'Set-Cookie': `${params.name}=1` } }),
      ),
      http.get(`${api}/b`, ({ cookies }) =>
        HttpResponse.json(Object.keys(cookies).filter((name) => name !== 'session')),
      ),
    ])
    for (const credentials of ['include', 'same-origin', 'omit'])
      await ask(`${api}/login/${credentials}`, { credentials })
    return ask(`${api}/b`, { credentials: 'include' })
  },
  'an aborted request': async ({ http, listen, api, delay, later }) => {
    let seen
    listen([
      http.get(`${api}/a`, async ({ request }) => {
        request.signal.addEventListener('abort', () => (seen = request.signal.reason?.name))
        await delay('infinite')
      }),
    ])
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const outcome = await fetch(`${api}/a`, { signal: controller.signal }).catch(({ name }) => name)
    await later()
    return { outcome, seen }
  },
  'delay: no time, real, a number': async ({ http, HttpResponse, delay, listen, api, ask }) => {
    listen([
      http.get(`${api}/a`, async ({ request }) => {
        const mode = new URL(request.url).searchParams.get('mode')
        const start = performance.now()
        await delay(mode === 'none' ? undefined : mode === 'real' ? 'real' : 60)
        return HttpResponse.text(performance.now() - start < 40 ? 'short' : 'long')
      }),
    ])
    return [await ask(`${api}/a?mode=none`), await ask(`${api}/a?mode=real`), await ask(`${api}/a?mode=60`)]
  },
  'delay: impossible values': async ({ delay }) => {
    const outcomes = []
    for (const value of [2 ** 31, 'unknown', -1]) {
      try {
        await Promise.race([delay(value), new Promise((resolve) => setTimeout(resolve, 30))])
        outcomes.push('no error')
      } catch {
        outcomes.push('error')
      }
    }
    return outcomes
  },
  'node:http': async ({ http, HttpResponse, listen }) => {
    listen([
      http.get('http://api.example.com/a', () => HttpResponse.json({ a: 1 }, { status: 201, headers: { 'X-A': '1' } })),
    ])
    const { default: client } = await import('node:http')
    return new Promise((resolve, reject) => {
      client
        .get('http://api.example.com/a', (response) => {
          let text = ''
          response.on('data', (chunk) => (text += chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              message: response.statusMessage,
              type: response.headers['content-type'],
              header: response.headers['x-a'],
              text,
            }),
          )
        })
        .on('error', reject)
    })
  },
  'node:http and a network error': async ({ http, HttpResponse, listen }) => {
    listen([http.get('http://api.example.com/a', () => HttpResponse.error())])
    const { default: client } = await import('node:http')
    const error = await new Promise((resolve) =>
      client.get('http://api.example.com/a', () => resolve(null)).on('error', resolve),
    )
    return { isError: error instanceof Error, code: error?.code }
  },
  paths: async ({ http, HttpResponse, listen, api, ask }) => {
    const paths = [
      '/u/:id',
      '/o/:a?',
      '/r/:a+',
      '/s/:a*',
      '/w/*',
      '/n/(\\d+)',
      '/enc/:name.json',
      '/t/',
      '/q/a?x=1',
      '/multi/:a/:a',
    ]
    const urls = [
      '/u/1',
      '/u/1/',
      '/U/1',
      '/u/a%2Fb',
      '/o',
      '/o/1',
      '/r/1/2',
      '/s',
      '/w/1/2',
      '/n/12',
      '/n/ab',
      '/enc/x.json',
      '/t',
      '/q/a?x=2',
      '/multi/1/2',
      '/u/1?x=1#h',
    ]
    listen(
      paths.map((path) => http.get(`${api}${path}`, ({ params }) => HttpResponse.json({ path, params }))),
      () => {
        throw new Error('unhandled')
      },
    )
    const answers = {}
    for (const url of urls) {
      const answer = await ask(`${api}${url}`)
      answers[url] = answer.startsWith('200') ? JSON.parse(answer.slice(4)) : 'no handler'
    }
    return answers
  },
  'a relative path with location': async ({ http, HttpResponse, listen, ask }) => {
    globalThis.location = new URL('http://localhost/sub/')
    try {
      listen([http.get('/a', () => HttpResponse.text('a'))], 'bypass')
      return await ask('http://localhost/a')
    } finally {
      delete globalThis.location
    }
  },
  GraphQL: async ({ graphql, HttpResponse, listen, api, ask }) => {
    const link = graphql.link(`${api}/graphql`)
    listen(
      [
        link.query('A', ({ variables, operationName, query }) =>
          HttpResponse.json({ data: { variables, operationName, isText: typeof query === 'string' } }),
        ),
        link.mutation(/^B/, () => HttpResponse.json({ errors: [{ message: 'no' }] })),
        link.operation(({ operationName }) => HttpResponse.json({ data: { other: operationName ?? null } })),
      ],
      'bypass',
    )
    const post = (body) =>
      ask(`${api}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    return [
      await post({ query: 'query A($x: Int) { a }', variables: { x: 1 } }),
      await post({ query: 'mutation Bcd { a }' }),
      await post({ query: 'query Other { a }' }),
      await post({ query: '{ a }' }),
      await post({ query: 'query A { a } query Other { b }', operationName: 'Other' }),
      await ask(
        `${api}/graphql?query=${encodeURIComponent('query A { a }')}&variables=${encodeURIComponent('{"x":2}')}`,
      ),
    ]
  },
  'server-sent events': async ({ sse, listen, api }) => {
    listen([
      sse(`${api}/events`, ({ client }) => {
        client.send({ data: 'a' })
        client.send({ id: '1', event: 'named', data: { b: 1 } })
        client.send({ retry: 10 })
        client.close()
      }),
    ])
    const response = await fetch(`${api}/events`, { headers: { Accept: 'text/event-stream' } })
    return { type: response.headers.get('content-type'), text: await response.text() }
  },
}
