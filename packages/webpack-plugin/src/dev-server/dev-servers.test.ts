import { describe, expect, test } from 'vitest'

import type { Compiler } from '../compiler.ts'
import {
  listDevServers,
  meetDevServers,
  readEditorPath,
  readOrigin,
  readSocketAddress,
  type DevServerOptions,
} from './dev-servers.ts'

test.each([
  [{}, '/ws'],
  [{ host: '0.0.0.0' }, '/ws'],
  [{ host: '127.0.0.1', webSocketServer: 'ws' }, '/ws'],
  [{ host: 'app.example.com' }, 'ws://app.example.com/ws'],
  [{ webSocketServer: { options: { path: '/hot' } } }, '/hot'],
  [{ client: { webSocketURL: 'auto://0.0.0.0:0/hot' } }, '/hot'],
  [{ client: { webSocketURL: 'wss://dev.example.com:8443/hot' } }, 'ws://dev.example.com/hot'],
  [{ client: { webSocketURL: { hostname: 'dev.example.com' } } }, 'ws://dev.example.com/ws'],
  [{ client: false, webSocketServer: false }, '/ws'],
] satisfies [DevServerOptions, string][])('finds the socket of %o at %s', (options, address) => {
  expect(readSocketAddress(options)).toBe(address)
})

test('finds the servers among the plugins, and no server if `devServer` is false', () => {
  const server = { options: { host: 'localhost' }, setupMiddlewares() {}, startCallback() {} }
  const devServer = { hot: true }
  expect(listDevServers({ plugins: [undefined, server, { options: {} }], output: {}, devServer })).toEqual([
    devServer,
    server.options,
  ])
  expect(listDevServers({ plugins: [server], output: {}, devServer: false })).toEqual([])
})

test.each([
  [{}, false, { port: 8080 }, 'http://localhost:8080'],
  [{ host: '0.0.0.0' }, true, { port: 443 }, 'https://localhost:443'],
  [{ host: 'local-ipv4' }, false, { port: 1 }, 'http://localhost:1'],
  [{ host: 'app.test' }, false, { port: 8080 }, 'http://app.test:8080'],
  [{ host: '::1' }, false, { port: 8080 }, 'http://[::1]:8080'],
  // webpack-dev-server 4 says it only in its options.
  [{ server: { type: 'https' } }, undefined, { port: 1 }, 'https://localhost:1'],
  [{ server: { type: 'http' } }, undefined, { port: 1 }, 'http://localhost:1'],
  [{}, false, '/tmp/server.sock', undefined],
  [{}, false, null, undefined],
])('is opened with %o (https: %o, address: %o) at %s', (options, isTlsServer, address, origin) => {
  const server = { address: () => address }
  const shared = { options, server, compiler: { compilers: [] }, logger: console }
  expect(readOrigin({ ...shared, ...(isTlsServer !== undefined && { isTlsServer }) })).toBe(origin)
})

test('finds the middleware that opens the editor by its name, at any path', () => {
  const middleware = (): void => {}
  const others = [middleware, { name: 'compression', middleware }]
  expect(readEditorPath([...others, { name: 'other-open-editor', path: '/open', middleware }])).toBe('/open')
  expect(readEditorPath(others)).toBe(undefined)
})

describe('the function is called with the options of dev servers', () => {
  function create(devServer?: unknown): { compiler: Compiler; taps: { name: string }[]; met: DevServerOptions[] } {
    const taps: { name: string }[] = []
    const compiler = { options: { plugins: [], output: {}, devServer }, hooks: { done: { taps } }, validate() {} }
    const met: DevServerOptions[] = []
    meetDevServers(compiler as unknown as Compiler, (options) => met.push(options))
    return { compiler: compiler as unknown as Compiler, taps, met }
  }

  test('that are configured', () => {
    const configured = { hot: true }
    expect(create(configured).met).toEqual([configured])
    expect(create(false).met).toEqual([])
  })

  test('that a command line adds', () => {
    const { compiler, met } = create()
    expect(met).toContain(compiler.options.devServer)
    const own = {}
    compiler.options.devServer = own
    expect(compiler.options.devServer).toBe(own)
    expect(met.at(-1)).toBe(own)
  })

  test('and a compiler of several without options has no options, even if they were read earlier', () => {
    const { compiler, taps } = create()
    expect(compiler.options.devServer).toEqual({})
    taps.push({ name: 'MultiCompiler' })
    expect(compiler.options.devServer).toBe(undefined)
  })

  test('that a server lets the compiler validate', () => {
    const { compiler, met } = create({})
    const own = {}
    compiler.validate?.(undefined as never, own as never, { name: 'Dev Server' })
    compiler.validate?.(undefined as never, {} as never, { name: 'Some Plugin' })
    expect(met.slice(1)).toEqual([own])
    expect(met[1]).toBe(own)
  })
})
