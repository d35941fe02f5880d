/** Which handler answers a request. */

/** Which of some paths match which of some URLs. */
const matching = (paths, urls) => async (kit) => {
  const { http, HttpResponse, listen, ask } = kit
  const strategy = () => {
    throw new Error('unhandled')
  }
  listen(
    paths(kit).map((path) => http.get(path, ({ params }) => HttpResponse.json({ path: String(path), params }))),
    strategy,
  )
  const answers = {}
  for (const url of urls(kit)) {
    const answer = await ask(url)
    answers[url] = answer.startsWith('200') ? JSON.parse(answer.slice(4)) : 'no handler'
  }
  return answers
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const scenarios = {
  'a handler for each method': async ({ http, HttpResponse, listen, api }) => {
    listen(
      methods.map((method) =>
        http[method.toLowerCase()](`${api}/a`, () => new HttpResponse(null, { headers: { 'X-M': method } })),
      ),
    )
    return Promise.all(methods.map(async (method) => (await fetch(`${api}/a`, { method })).headers.get('x-m')))
  },
  'http.all': async ({ http, HttpResponse, listen, api }) => {
    listen([http.all(`${api}/a`, ({ request }) => new HttpResponse(null, { headers: { 'X-M': request.method } }))])
    return Promise.all(methods.map(async (method) => (await fetch(`${api}/a`, { method })).headers.get('x-m')))
  },
  'a custom method': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([http.all(`${api}/a`, ({ request }) => HttpResponse.text(request.method))])
    return ask(`${api}/a`, { method: 'PURGE' })
  },
  'the first handler that matches': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/users/me`, () => HttpResponse.text('me')),
      http.get(`${api}/users/:id`, () => HttpResponse.text('id')),
      http.get(`${api}/*`, () => HttpResponse.text('any')),
    ])
    return [await ask(`${api}/users/me`), await ask(`${api}/users/5`), await ask(`${api}/other`)]
  },
  'a handler that leaves the request to the next one': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/users/:id`, ({ params }) => (params.id === '1' ? HttpResponse.text('one') : undefined)),
      http.all('*', () => HttpResponse.text('fallback')),
    ])
    return [await ask(`${api}/users/1`), await ask(`${api}/users/2`)]
  },
  'paths that are regular expressions': matching(
    () => [/\/users\/(?<id>\d+)$/, /\/POSTS\//i, /^https:\/\/api\.example\.com\/exact$/, /\?q=(\w+)/],
    ({ api }) => [
      `${api}/users/5`,
      `${api}/users/x`,
      `${api}/posts/1`,
      `${api}/exact`,
      `${api}/exact/`,
      `${api}/a?q=term`,
    ],
  ),
  wildcards: matching(
    ({ api }) => [`${api}/a/*/c`, '*/any/:id', `${api}/files/*.png`, 'https://*.example.org/x'],
    ({ api }) => [
      `${api}/a/b/c`,
      `${api}/a/b/b/c`,
      'http://other.example.com/deep/any/5',
      `${api}/files/a.png`,
      `${api}/files/a/b.png`,
      'https://sub.example.org/x',
      'https://a.b.example.org/x',
    ],
  ),
  'origins and ports': matching(
    () => ['http://localhost:3000/a', 'http://localhost/b', 'https://localhost/c', 'http://127.0.0.1:8080/:id'],
    () => [
      'http://localhost:3000/a',
      'http://localhost:3001/a',
      'http://localhost/b',
      'http://localhost:80/b',
      'http://localhost/c',
      'https://localhost:443/c',
      'http://127.0.0.1:8080/5',
    ],
  ),
  'characters of a path': matching(
    ({ api }) => [`${api}/ä/:id`, `${api}/sp ace`, `${api}/a+b`, `${api}/x@y`, `${api}/p.q`, `${api}/enc%20oded`],
    ({ api }) => [
      `${api}/ä/é`,
      `${api}/%C3%A4/1`,
      `${api}/sp%20ace`,
      `${api}/a+b`,
      `${api}/x@y`,
      `${api}/pXq`,
      `${api}/p.q`,
      `${api}/enc%20oded`,
    ],
  ),
  'an optional parameter before other segments': matching(
    ({ api }) => [`${api}/user/:id?/posts`],
    ({ api }) => [`${api}/user/5/posts`, `${api}/user/posts`, `${api}/user/5`],
  ),
  'an escape that cannot be decoded': matching(
    ({ api }) => [`${api}/user/:id`],
    ({ api }) => [`${api}/user/100%`],
  ),
  'a path with a default port': matching(
    ({ api }) => [`${api}:443/user`],
    ({ api }) => [`${api}/user`],
  ),
  'a relative path without location': matching(
    () => ['/user/:id'],
    ({ api }) => [`${api}/user/5`],
  ),
  'parameters next to text': matching(
    ({ api }) => [`${api}/:a-:b`, `${api}/v:version/x`, `${api}/f/:name.:ext`, `${api}/u/:id(\\d+)`],
    ({ api }) => [`${api}/1-2`, `${api}/v3/x`, `${api}/f/a.png`, `${api}/f/a.b.png`, `${api}/u/12`, `${api}/u/ab`],
  ),
  'a search in the path of a handler': async ({ http, HttpResponse, listen, api, ask, printed }) => {
    listen([http.get(`${api}/a?x=1`, () => HttpResponse.text('a'))])
    const warned = printed().filter(([method]) => method === 'warn').length
    return { answers: [await ask(`${api}/a?x=1`), await ask(`${api}/a?x=2`), await ask(`${api}/a`)], warned }
  },
  'a search in the URL': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([http.get(`${api}/a`, ({ request }) => HttpResponse.json([...new URL(request.url).searchParams]))])
    return ask(`${api}/a?x=1&x=2&y=%20&z`)
  },
  'a URL object and a Request': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.all(`${api}/a`, ({ request }) => HttpResponse.text(`${request.method} ${request.headers.get('x-a')}`)),
    ])
    const first = await fetch(new URL(`${api}/a`), { headers: { 'X-A': '1' } })
    const second = await fetch(new Request(`${api}/a`, { method: 'PUT', headers: { 'X-A': '2' } }))
    return [await first.text(), await second.text()]
  },
  'an asynchronous predicate': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.post(
        async ({ request }) => (await request.clone().json()).type === 'a',
        () => HttpResponse.text('a'),
      ),
      http.post('*', async ({ request }) => HttpResponse.text(`other ${await request.text()}`)),
    ])
    const init = (type) => ({ method: 'POST', body: JSON.stringify({ type }) })
    return [await ask(`${api}/x`, init('a')), await ask(`${api}/x`, init('b'))]
  },
  'a predicate with parameters': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(
        ({ request }) => ({ matches: request.url.endsWith('/5'), params: { id: '5' } }),
        ({ params }) => HttpResponse.json(params),
      ),
      http.get('*', () => HttpResponse.text('other')),
    ])
    return [await ask(`${api}/5`), await ask(`${api}/6`)]
  },
  matchRequestUrl: async ({ matchRequestUrl, api }) => {
    const pairs = [
      [`${api}/a/1`, `${api}/a/:id`],
      [`${api}/a/1?x=1#h`, `${api}/a/:id`],
      [`${api}/b`, `${api}/a`],
      [`${api}/a/`, `${api}/a`],
      [`${api}/a/b/c`, `${api}/a/*`],
      [`${api}/a/b`, /\/a\/(\w)/],
      ['http://localhost/a', '/a', 'http://localhost'],
    ]
    return pairs.map(([url, path, base]) => matchRequestUrl(new URL(url), path, base))
  },
  isCommonAssetRequest: async ({ isCommonAssetRequest, api }) =>
    ['/a.png', '/a.css?x=1', '/a', '/a.json', '/a.ts', '/api/v1.2/users', '/node_modules/x'].map((path) =>
      isCommonAssetRequest(new Request(`${api}${path}`)),
    ),
  'cookies of a request': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([http.get(`${api}/a`, ({ cookies }) => HttpResponse.json(cookies))])
    return [
      await ask(`${api}/a`),
      await ask(`${api}/a`, { headers: { Cookie: 'a=1; b=x%20y; c="q"; d=' } }),
      await ask(`${api}/a`, { headers: { Cookie: 'a=1; a=2' } }),
      await ask(`${api}/a`, { headers: { Cookie: 'no value' } }),
    ]
  },
  'the arguments of a resolver': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/:id`, ({ request, requestId, params, cookies }) =>
        HttpResponse.json({
          isRequest: request instanceof Request,
          id: typeof requestId,
          params,
          cookies,
          signal: request.signal instanceof AbortSignal,
          mode: request.mode,
          redirect: request.redirect,
        }),
      ),
    ])
    return ask(`${api}/5`)
  },
  'where a handler was created': async ({ http, HttpResponse }) => {
    const { callFrame } = http.get('/a', () => HttpResponse.text('a')).info
    return /\.js:\d+:\d+$/.test(String(callFrame))
  },
  'the cookies of a resolver are a plain object': async ({ http, HttpResponse, listen, api }) => {
    let got
    listen([
      http.get(`${api}/a`, ({ cookies }) => {
        got = [Object.getPrototypeOf(cookies) === Object.prototype, cookies.hasOwnProperty('a')]
        return HttpResponse.text('a')
      }),
    ])
    await fetch(`${api}/a`, { headers: { Cookie: 'a=1' } })
    return got
  },
  'this and arguments of a resolver': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/a`, function (...args) {
        return HttpResponse.json({ count: args.length > 0, self: this === undefined })
      }),
    ])
    return ask(`${api}/a`)
  },
  'a resolver that waits': async ({ http, HttpResponse, delay, listen, api, ask }) => {
    const order = []
    listen([
      http.get(`${api}/slow`, async () => {
        await delay(30)
        order.push('slow')
        return HttpResponse.text('slow')
      }),
      http.get(`${api}/fast`, () => {
        order.push('fast')
        return HttpResponse.text('fast')
      }),
    ])
    return [await Promise.all([ask(`${api}/slow`), ask(`${api}/fast`)]), order]
  },
  'requests inside of a resolver': async ({ http, HttpResponse, listen, api, ask }) => {
    listen([
      http.get(`${api}/outer`, async () => HttpResponse.text(`outer ${await (await fetch(`${api}/inner`)).text()}`)),
      http.get(`${api}/inner`, () => HttpResponse.text('inner')),
    ])
    return ask(`${api}/outer`)
  },
  'an aborted request before it starts': async ({ http, HttpResponse, listen, api }) => {
    let calls = 0
    listen([
      http.get(`${api}/a`, () => {
        calls++
        return HttpResponse.text('a')
      }),
    ])
    const name = await fetch(`${api}/a`, { signal: AbortSignal.abort() }).catch((error) => error.name)
    return [name, calls]
  },
  'a time-out of a request': async ({ http, delay, listen, api }) => {
    listen([http.get(`${api}/a`, () => delay('infinite'))])
    return fetch(`${api}/a`, { signal: AbortSignal.timeout(20) }).catch((error) => error.name)
  },
  'an abort while the body is read': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(
        `${api}/a`,
        () =>
          new HttpResponse(
            new ReadableStream({
              start: (controller) => controller.enqueue(new TextEncoder().encode('a')),
            }),
          ),
      ),
    ])
    const controller = new AbortController()
    const response = await fetch(`${api}/a`, { signal: controller.signal })
    setTimeout(() => controller.abort(), 10)
    return response.text().catch((error) => error.name)
  },
}
