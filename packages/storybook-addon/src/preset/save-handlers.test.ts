import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ConnectMiddleware } from '@understudy/panel/server'
import { afterEach, expect, test } from 'vitest'

import { experimental_devServer } from './save-handlers.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** Starts a server with the middleware, as Storybook does. Returns a function that requests the token with a `Host` header. */
async function serve(core: object | undefined, options: object = {}): Promise<(host: string) => Promise<number>> {
  const middlewares: ConnectMiddleware[] = []
  const app = { use: (middleware: ConnectMiddleware) => middlewares.push(middleware) }
  const presets = { apply: () => Promise.resolve(core) }
  expect(await experimental_devServer(app, { configDir: '/app/.storybook', presets, ...options })).toBe(app)
  const listening = createServer((incoming, response) => {
    const [middleware] = middlewares
    const leave = (): void => void response.writeHead(404).end()
    if (middleware) middleware(incoming, response, leave)
    else leave()
  })
  server = listening
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listening.address() as AddressInfo
  return (host) =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/__understudy/token', headers: { Host: host } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
}

test('only hosts of this machine and those of the options get the token, also if Storybook allows all', async () => {
  const ask = await serve({ allowedHosts: true }, { host: 'storybook.test' })
  for (const host of ['localhost:6006', '127.0.0.1', '192.168.0.5:6006', 'storybook.test']) {
    expect(await ask(host), host).toBe(200)
  }
  expect(await ask('evil.example')).toBe(404)
})

test('hosts that Storybook allows by their names get the token', async () => {
  const ask = await serve({ allowedHosts: ['design.example.com', 5] })
  expect(await ask('design.example.com')).toBe(200)
  expect(await ask('evil.example')).toBe(404)
})

test('without options of the core, the machine itself gets the token', async () => {
  const ask = await serve(undefined)
  expect(await ask('localhost')).toBe(200)
  expect(await ask('evil.example')).toBe(404)
})

test('without the project’s handlers, nothing is served', async () => {
  const ask = await serve({}, { handlers: false })
  expect(await ask('localhost')).toBe(404)
})

test('a preset of another addon that returns nothing does no harm', async () => {
  const presets = { apply: () => Promise.resolve({}) }
  expect(await experimental_devServer(undefined, { configDir: '/app/.storybook', presets })).toBeUndefined()
})
