/** Makes requests with `setupServer` of `@understudy/engine/node`, and prints their outcomes as JSON. */
import http from 'node:http'
import https from 'node:https'

import { bypass, delay, http as mock, HttpResponse, passthrough, sse, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'

const fetchBefore = globalThis.fetch
const eventSourceBefore = globalThis.EventSource

console.error = () => {}
console.warn = () => {}

const backend = http.createServer((request, response) => {
  response.setHeader('X-From', 'backend')
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => response.end(`real ${request.method} ${request.url} ${text}`.trim()))
})
await new Promise((resolve) => backend.listen(0, '127.0.0.1', resolve))
const real = `http://127.0.0.1:${backend.address().port}`
const api = 'https://api.example.com'
const plain = 'http://api.example.com'

const link = ws.link('wss://chat.example.com')
const server = setupServer(
  mock.get(`${api}/json`, () => HttpResponse.json({ a: 1 }, { status: 201, headers: { 'X-A': '1' } })),
  mock.get(`${plain}/json`, () => HttpResponse.json({ a: 1 }, { status: 201, headers: { 'X-A': '1' } })),
  sse(`${api}/events`, ({ client }) => client.send({ data: 'mocked' })),
  mock.post(`${api}/echo`, async ({ request }) => HttpResponse.text(await request.text())),
  mock.post(`${plain}/echo`, async ({ request }) => HttpResponse.text(await request.text())),
  mock.get(`${api}/stream`, () => {
    const chunks = ['a', 'b', 'c']
    return new HttpResponse(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(chunk))
        },
      }),
    )
  }),
  mock.get(`${api}/error`, () => HttpResponse.error()),
  mock.get(`${plain}/error`, () => HttpResponse.error()),
  mock.get(`${api}/throws`, () => {
    throw new Error('mine')
  }),
  mock.get(`${api}/never`, () => delay('infinite')),
  mock.get(`${api}/redirect`, () => HttpResponse.redirect(`${api}/json`)),
  mock.get(`${api}/login`, () => new HttpResponse(null, { headers: { 'Set-Cookie': 'session=1' } })),
  mock.get(`${api}/cookies`, ({ cookies }) => HttpResponse.json(cookies)),
  mock.all(`${real}/through`, () => passthrough()),
  mock.get(`${real}/patched`, async ({ request }) =>
    HttpResponse.text(`patched ${await (await fetch(bypass(request))).text()}`),
  ),
  mock.get(`${real}/before`, () => HttpResponse.text('mocked')),
  link.addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => client.send(`got ${data}`))
  }),
)

async function ask(url, init) {
  const response = await fetch(url, init)
  return [response.status, response.url.replace(real, 'real'), response.headers.get('x-a'), await response.text()]
}

/** A request of `node:http` or `node:https`. */
function send(client, url, { body, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const sent = client.request(url, options, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve([response.statusCode, response.headers['x-a'] ?? null, text]))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const checks = {
  'fetch: JSON': () => ask(`${api}/json`),
  'fetch: a Request with a body': () => ask(new Request(`${api}/echo`, { method: 'POST', body: 'x' })),
  'fetch: a body that streams': () => ask(`${api}/stream`),
  'fetch: a redirect': () => ask(`${api}/redirect`),
  'fetch: a network error': () => ask(`${api}/error`),
  'fetch: a resolver that throws': async () => (await fetch(`${api}/throws`)).status,
  'fetch: aborted': async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    return ask(`${api}/never`, { signal: controller.signal })
  },
  'fetch: unhandled': () => ask(`${real}/unhandled`),
  'fetch: passthrough': () => ask(`${real}/through`, { method: 'POST', body: 'x' }),
  'fetch: a patched response': () => ask(`${real}/patched`),
  'fetch: cookies': async () => {
    await fetch(`${api}/login`)
    return ask(`${api}/cookies`)
  },
  'fetch: a function kept from before': async () => (await fetchBefore(`${real}/before`)).text(),
  'node:http: JSON': () => send(http, `${plain}/json`),
  'node:http: a body': () => send(http, `${plain}/echo`, { method: 'POST', body: 'x' }),
  'node:http: a network error': () => send(http, `${plain}/error`),
  'node:http: unhandled': () => send(http, `${real}/unhandled`),
  'node:http: passthrough': () => send(http, `${real}/through`, { method: 'POST', body: 'x' }),
  'node:https: JSON': () => send(https, `${api}/json`),
  'node:https: a body': () => send(https, `${api}/echo`, { method: 'POST', body: 'x' }),
  axios: async () => {
    const { status, data } = await axios.get(`${api}/json`)
    return [status, data]
  },
  'axios: a body': async () => (await axios.post(`${api}/echo`, 'x')).data,
  WebSocket: () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket('wss://chat.example.com')
      socket.addEventListener('open', () => socket.send('x'))
      socket.addEventListener('message', ({ data }) => resolve(data))
      socket.addEventListener('error', () => reject(new Error('no connection')))
    }),
  EventSource: () =>
    new Promise((resolve, reject) => {
      if (typeof EventSource === 'undefined') resolve('missing')
      const source = new EventSource(`${api}/events`)
      source.addEventListener('message', ({ data }) => {
        source.close()
        resolve([data, source instanceof EventSource])
      })
      source.addEventListener('error', () => reject(new Error('no stream')))
    }),
  'boundary()': async () => {
    const answers = await Promise.all(
      ['one', 'two'].map((text) =>
        server.boundary(async () => {
          server.use(mock.get(`${api}/json`, () => HttpResponse.text(text)))
          await new Promise((resolve) => setTimeout(resolve, 5))
          return (await fetch(`${api}/json`)).text()
        })(),
      ),
    )
    return [...answers, (await fetch(`${api}/json`)).status]
  },
  events: async () => {
    const names = []
    server.events.on('*', ({ type }) => names.push(type))
    await ask(`${api}/json`)
    server.events.removeAllListeners()
    return names
  },
  'close()': async () => {
    server.close()
    return [
      await ask(`${real}/patched`),
      await send(http, `${real}/patched`),
      globalThis.EventSource === eventSourceBefore,
    ]
  },
}

const outcomes = {}
server.listen({ onUnhandledRequest: 'error' })
for (const [name, check] of Object.entries(checks)) {
  let timer
  const hangs = new Promise((resolve) => (timer = setTimeout(() => resolve('hangs'), 4000)))
  const outcome = await Promise.race([check(), hangs]).catch((error) => `fails: ${error.code ?? error.name}`)
  clearTimeout(timer)
  outcomes[name] = outcome
}
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0))
