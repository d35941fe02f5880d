import https from 'node:https'

import { DurableObject } from 'cloudflare:workers'

const api = 'https://api.example'

/** Calls the API in another Durable Object than the test's. */
export class Counter extends DurableObject {
  async fetch() {
    const calls = ((await this.ctx.storage.get('calls')) ?? 0) + 1
    await this.ctx.storage.put('calls', calls)
    return Response.json({ calls, price: await readPrice() })
  }
}

const routes = {
  '/price': async () => Response.json(await readPrice()),
  '/proxy': (request) => fetch(`${api}/orders`, request),
  '/order': () => fetch(`${api}/orders`, { method: 'POST', body: '{"seats":2}' }),
  '/moved': async () => {
    const { url, redirected } = await fetch(`${api}/moved`)
    return Response.json({ url, redirected })
  },
  '/slow': () => describeError(fetch(`${api}/slow`, { signal: AbortSignal.timeout(20) })),
  '/down': () => describeError(fetch(`${api}/down`)),
  '/unreachable': () => describeError(fetch(`${api}/unreachable`)),
  '/unknown': () => describeError(fetch(`${api}/unknown`)),
  '/parts': async () => new Response((await fetch(`${api}/parts`)).body.pipeThrough(new TransformStream())),
  '/cached': async (_request, { CACHE }) => {
    const cached = await CACHE.get('price')
    if (cached) return new Response(`cached ${cached}`)
    const { price } = await readPrice()
    await CACHE.put('price', String(price))
    return new Response(`read ${price}`)
  },
  '/later': (_request, _env, ctx) => {
    ctx.waitUntil(fetch(`${api}/orders`, { method: 'POST', body: '{"seats":3}' }))
    return new Response('ordered')
  },
  '/counter': (request, { COUNTER }) => COUNTER.get(COUNTER.idFromName('one')).fetch(request),
  '/https': () =>
    new Promise((resolve, reject) => {
      https.get(`${api}/price`, (incoming) => resolve(new Response(incoming))).on('error', reject)
    }),
  '/socket': async () => new Response(await talkTo(new WebSocket('wss://api.example/echo'))),
  '/events': async () => new Response(await readEvent(new EventSource('https://api.example/events'))),
  '/upgrade': async () => {
    const { webSocket } = await fetch('https://api.example/echo', { headers: { Upgrade: 'websocket' } })
    webSocket.accept()
    const answer = talkTo(webSocket)
    webSocket.send('hello')
    return new Response(await answer)
  },
}

async function readPrice() {
  const response = await fetch(`${api}/price`)
  return response.json()
}

async function describeError(fetched) {
  try {
    return new Response(`answered ${await (await fetched).text()}`)
  } catch (error) {
    return Response.json({ name: error.name, message: error.message, code: error.cause?.code })
  }
}

function talkTo(socket) {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => socket.send('hello'))
    socket.addEventListener('error', () => reject(new Error('The connection failed.')))
    socket.addEventListener('message', ({ data }) => {
      resolve(data)
      socket.close()
    })
  })
}

function readEvent(source) {
  return new Promise((resolve, reject) => {
    source.addEventListener('error', () => reject(new Error('The stream failed.')))
    source.addEventListener('message', ({ data }) => {
      resolve(data)
      source.close()
    })
  })
}

export default {
  fetch(request, env, ctx) {
    const route = routes[new URL(request.url).pathname]
    return route ? route(request, env, ctx) : new Response('Not found', { status: 404 })
  },
  async scheduled() {
    await fetch(`${api}/orders`, { method: 'POST', body: '{"seats":1}' })
  },
}
