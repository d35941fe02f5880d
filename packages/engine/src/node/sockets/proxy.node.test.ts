import { execFile } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)

/** The requests to the proxy. */
let tunnels: string[] = []
const ports: Record<'origin' | 'proxy', number> = { origin: 0, proxy: 0 }
const servers: Server[] = []

async function listen(name: 'origin' | 'proxy', answer: RequestListener): Promise<Server> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  ports[name] = (server.address() as AddressInfo).port
  return server
}

beforeAll(async () => {
  await listen('origin', ({ headers }, response) => response.end(`real ${headers.accept}`))
  const proxy = await listen('proxy', ({ url, method }, response) => {
    tunnels.push(`${method} ${url}`)
    response.end('proxied')
  })
  proxy.on('connect', ({ url = '' }, client, head) => {
    tunnels.push(`CONNECT ${url}`)
    const upstream = connect(Number(url.split(':')[1]), 'localhost', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const end of [upstream, client]) end.on('error', () => {})
  })
})
afterEach(() => (tunnels = []))
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const source = (name: string): string => JSON.stringify(pathToFileURL(`${import.meta.dirname}/../../${name}`).href)

/** Runs a script in a process with the proxy in its environment variables. */
async function runBehindProxy(script: string): Promise<unknown> {
  const proxy = `http://localhost:${ports.proxy}`
  const code = `
    import { setupServer } from ${source('node.ts')}
    import { http, HttpResponse, passthrough } from ${source('index.ts')}
    const origin = 'http://localhost:${ports.origin}'
    const asked = []
    const server = setupServer(
      http.get('*/mocked', () => HttpResponse.text('mocked')),
      http.get('*/real', ({ request }) => { asked.push(request.url); return passthrough() }),
    )
    server.listen({ onUnhandledRequest: 'error' })
    const read = (url, init) => fetch(url, init).then((response) => response.text(), (error) => error.message)
    ${script}
  `
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env })
  return JSON.parse(stdout)
}

test('a mocked fetch opens no tunnel of the environment’s proxy', async () => {
  const answers = await runBehindProxy(`
    console.log(JSON.stringify([await read('http://api.test/mocked'), await read('https://api.test/mocked')]))
    process.exit()
  `)
  expect(answers).toEqual(['mocked', 'mocked'])
  expect(tunnels).toEqual([])
})

test('a passthrough fetch uses the proxy, with one decision, and a failing one does not', async () => {
  const answers = await runBehindProxy(`
    const answers = [await read(origin + '/real'), await read(origin + '/real'), await read(origin + '/unhandled')]
    console.log(JSON.stringify({ answers, asked: asked.map((url) => url.replace(origin, '')) }))
    process.exit()
  `)
  expect(answers).toEqual({
    answers: [expect.stringMatching(/^(real|proxied)/), expect.stringMatching(/^(real|proxied)/), 'fetch failed'],
    asked: ['/real', '/real'],
  })
  expect(tunnels.length).toBeGreaterThan(0)
  expect(new Set(tunnels).size).toBe(1)
})

test('a mocked request does not reach the platform’s own dispatcher of a call', async () => {
  const answers = await runBehindProxy(`
    const dispatcher = globalThis[Symbol.for('undici.globalDispatcher.1')]
    const answers = [await read('https://api.test/mocked', { dispatcher }), await read(origin + '/real', { dispatcher })]
    console.log(JSON.stringify({ answers, asked: asked.length }))
    process.exit()
  `)
  expect(answers).toEqual({ answers: ['mocked', expect.stringMatching(/^(real|proxied)/)], asked: 1 })
})

test('a mocked http.get or https.get uses no proxy of the environment, and a passthrough one is decided once', async () => {
  const answers = await runBehindProxy(`
    const clients = { 'http:': await import('node:http'), 'https:': await import('node:https') }
    const { text } = await import('node:stream/consumers')
    const get = (url) => new Promise((resolve) => {
      clients[new URL(url).protocol].get(url, (response) => resolve(text(response))).on('error', (error) => resolve(error.message))
    })
    const answers = []
    for (const url of ['http://api.test/mocked', 'https://api.test/mocked', 'https://api.test/unhandled', origin + '/real']) {
      answers.push(await get(url))
    }
    console.log(JSON.stringify({ answers, asked: asked.length }))
    process.exit()
  `)
  const answer = expect.stringMatching(/^(real|proxied)/)
  expect(answers).toEqual({
    answers: ['mocked', 'mocked', expect.stringContaining('no handler matches it'), answer],
    asked: 1,
  })
  // Only passthrough requests reach the proxy (in versions of Node whose agents support proxies).
  expect(tunnels.filter((request) => request !== `GET http://localhost:${ports.origin}/real`)).toEqual([])
})

test('a ProxyAgent as the global dispatcher opens no tunnel for mocked requests', async () => {
  const answers = await runBehindProxy(`
    const undici = await import(${JSON.stringify(import.meta.resolve('undici'))})
    undici.setGlobalDispatcher(new undici.ProxyAgent({ uri: process.env.HTTP_PROXY, proxyTunnel: true }))
    const clients = [
      (url) => fetch(url).then((response) => response.text()),
      (url) => undici.fetch(url).then((response) => response.text()),
      (url) => undici.request(url).then(({ body }) => body.text()),
    ]
    const answers = []
    for (const ask of clients) {
      answers.push(await ask(origin + '/mocked'), await ask('https://api.test/mocked'), asked.length)
    }
    for (const ask of clients) answers.push(await ask(origin + '/real'), asked.length)
    console.log(JSON.stringify(answers))
    process.exit()
  `)
  const real = expect.stringMatching(/^real/)
  const mocked = ['mocked', 'mocked', 0]
  expect(answers).toEqual([...mocked, ...mocked, ...mocked, real, 1, real, 2, real, 3])
  expect(new Set(tunnels)).toEqual(new Set([`CONNECT localhost:${ports.origin}`]))
})

test('a ProxyAgent of undici opens no tunnel for mocked requests, and handlers are asked once about passthrough requests', async () => {
  const answers = await runBehindProxy(`
    const { ProxyAgent, fetch: fetchOfUndici, request } = await import(${JSON.stringify(import.meta.resolve('undici'))})
    const dispatcher = new ProxyAgent({ uri: process.env.HTTP_PROXY, proxyTunnel: true })
    const byFetch = (url) => fetchOfUndici(url, { dispatcher }).then((response) => response.text())
    const byRequest = (url) => request(url, { dispatcher }).then(({ body }) => body.text())
    const answers = []
    for (const ask of [byFetch, byRequest]) {
      answers.push(await ask(origin + '/mocked'), await ask('https://api.test/mocked'), asked.length)
    }
    for (const ask of [byFetch, byRequest]) answers.push(await ask(origin + '/real'), asked.length)
    console.log(JSON.stringify(answers))
    process.exit()
  `)
  const real = expect.stringMatching(/^real/)
  expect(answers).toEqual(['mocked', 'mocked', 0, 'mocked', 'mocked', 0, real, 1, real, 2])
  expect(new Set(tunnels)).toEqual(new Set([`CONNECT localhost:${ports.origin}`]))
})
