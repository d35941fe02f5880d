/** Clients other than `fetch`. */
import http from 'node:http'
import https from 'node:https'

/** Sends a request with `node:http` or `node:https`, and returns its outcome. */
function send(module, url, { body, ...options } = {}) {
  return new Promise((resolve) => {
    const events = []
    const request = module.request(...(typeof url === 'string' ? [url, options] : [url]), (response) => {
      events.push('response')
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          message: response.statusMessage,
          headers: Object.fromEntries(
            Object.entries(response.headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
          ),
          raw: response.rawHeaders.filter((name) => name.toLowerCase() === 'x-a'),
          text,
          events,
        }),
      )
      response.on('error', (error) => resolve({ responseError: error.code ?? error.name }))
    })
    request.on('finish', () => events.push('finish'))
    request.on('error', (error) => resolve({ isError: error instanceof Error }))
    request.end(body)
  })
}

const api = 'http://api.example.com'
const secure = 'https://api.example.com'

export const scenarios = {
  'node:http GET': async ({ http: { get }, HttpResponse, listen }) => {
    listen([
      get(`${api}/a`, () => HttpResponse.json({ a: 1 }, { status: 203, statusText: 'Mine', headers: { 'X-A': '1' } })),
    ])
    return send(http, `${api}/a`)
  },
  'node:https GET': async ({ http: { get }, HttpResponse, listen }) => {
    listen([get(`${secure}/a`, ({ request }) => HttpResponse.text(request.url))])
    return send(https, `${secure}/a?x=1`)
  },
  'node:http POST with a body and headers': async ({ http: { post }, HttpResponse, listen }) => {
    listen([
      post(`${api}/a`, async ({ request }) =>
        HttpResponse.json({
          method: request.method,
          text: await request.text(),
          type: request.headers.get('content-type'),
          own: request.headers.get('x-own'),
        }),
      ),
    ])
    return send(http, `${api}/a`, {
      method: 'POST',
      body: 'body',
      headers: { 'Content-Type': 'text/x-mine', 'X-Own': '1' },
    })
  },
  'node:http with options instead of a URL': async ({ http: { put }, HttpResponse, listen }) => {
    listen([
      put(`${api}/a/:id`, ({ params, request }) => HttpResponse.text(`${params.id} ${new URL(request.url).search}`)),
    ])
    return send(http, { hostname: 'api.example.com', path: '/a/5?b=1', method: 'PUT' })
  },
  'node:http HEAD': async ({ http: { head }, HttpResponse, listen }) => {
    listen([head(`${api}/a`, () => new HttpResponse(null, { headers: { 'X-A': '1' } }))])
    return send(http, `${api}/a`, { method: 'HEAD' })
  },
  'node:http and no content': async ({ http: { delete: remove }, HttpResponse, listen }) => {
    listen([remove(`${api}/a`, () => new HttpResponse(null, { status: 204 }))])
    return send(http, `${api}/a`, { method: 'DELETE' })
  },
  'node:http does not follow redirects': async ({ http: { get }, HttpResponse, listen }) => {
    listen([get(`${api}/a`, () => HttpResponse.redirect(`${api}/b`, 301))])
    const { status, headers } = await send(http, `${api}/a`)
    return [status, headers.location]
  },
  'node:http and two cookies': async ({ http: { get }, HttpResponse, listen }) => {
    listen([
      get(
        `${api}/a`,
        () =>
          new HttpResponse('a', {
            headers: [
              ['Set-Cookie', 'a=1; Path=/'],
              ['Set-Cookie', 'b=2'],
            ],
          }),
      ),
    ])
    return (await send(http, `${api}/a`)).headers['set-cookie']
  },
  'node:http and a stream': async ({ http: { get }, HttpResponse, listen }) => {
    listen([
      get(
        `${api}/a`,
        () =>
          new HttpResponse(
            new ReadableStream({
              async start(controller) {
                for (const text of ['a', 'b']) {
                  controller.enqueue(new TextEncoder().encode(text))
                  await new Promise((resolve) => setTimeout(resolve, 5))
                }
                controller.close()
              },
            }),
          ),
      ),
    ])
    return (await send(http, `${api}/a`)).text
  },
  'node:http and a thrown error': async ({ http: { get }, listen }) => {
    listen([
      get(`${api}/a`, () => {
        throw new Error('mine')
      }),
    ])
    return (await send(http, `${api}/a`)).status
  },
  'node:http and an unhandled request': async ({ listen, real }) => {
    listen([], 'bypass')
    const { status, text } = await send(http, `${real}/a`, { method: 'POST', body: 'x' })
    return [status, text]
  },
  'node:http and passthrough': async ({ http: { get }, passthrough, listen, real }) => {
    listen([get(`${real}/a`, () => passthrough())])
    const { status, text, headers } = await send(http, `${real}/a`)
    return [status, text, headers['x-from']]
  },
  'node:http, a request that is destroyed': async ({ http: { get }, delay, listen }) => {
    listen([get(`${api}/a`, () => delay('infinite'))])
    return new Promise((resolve) => {
      const request = http.get(`${api}/a`)
      request.on('error', (error) => resolve(error.code))
      setTimeout(() => request.destroy(), 10)
    })
  },
  'node:http, a time-out': async ({ http: { get }, delay, listen }) => {
    listen([get(`${api}/a`, () => delay('infinite'))])
    return new Promise((resolve) => {
      const request = http.get(`${api}/a`, { timeout: 20 })
      request.on('timeout', () => {
        request.on('error', () => {})
        request.destroy()
        resolve('timeout')
      })
    })
  },
  'node:http with a separate agent': async ({ http: { get }, HttpResponse, listen }) => {
    listen([get(`${api}/a`, () => HttpResponse.text('a'))])
    const agent = new http.Agent({ keepAlive: true })
    const texts = [(await send(http, `${api}/a`, { agent })).text, (await send(http, `${api}/a`, { agent })).text]
    agent.destroy()
    return texts
  },
  'node:http, events of a request': async ({ http: { get }, HttpResponse, listen, later }) => {
    const server = listen([get(`${api}/a`, () => HttpResponse.text('a'))])
    const seen = []
    for (const name of ['request:start', 'request:match', 'request:end', 'response:mocked'])
      server.events.on(name, ({ request }) => seen.push(`${name} ${request.method} ${request.url}`))
    await send(http, `${api}/a`)
    await later()
    return seen
  },
  'node:http and a strategy of error': async ({ listen, real }) => {
    listen([], 'error')
    return send(http, `${real}/a`)
  },
  'node:http, a body that is written in parts': async ({ http: { post }, HttpResponse, listen }) => {
    listen([post(`${api}/a`, async ({ request }) => HttpResponse.text(await request.text()))])
    return new Promise((resolve, reject) => {
      const request = http.request(`${api}/a`, { method: 'POST' }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve(text))
      })
      request.on('error', reject)
      request.write('one ')
      setTimeout(() => request.end('two'), 5)
    })
  },
  'a request of fetch with a Request and an init': async ({ http: { all }, HttpResponse, listen }) => {
    listen([all(`${api}/a`, async ({ request }) => HttpResponse.text(`${request.method} ${await request.text()}`))])
    const request = new Request(`${api}/a`, { method: 'POST', body: 'first' })
    return (await fetch(request, { method: 'PUT', body: 'second' })).text()
  },
  'a fetch that was kept before listen': async ({ http: { get }, HttpResponse, setupServer, real }) => {
    const server = setupServer(get(`${real}/a`, () => HttpResponse.text('mocked')))
    server.listen()
    const kept = globalThis.fetch
    server.close()
    return (await kept(`${real}/a`)).text()
  },
}
