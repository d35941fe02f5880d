import { expect, test } from 'vitest'

import { listDevServers, readSocketAddress, type DevServerOptions } from './dev-servers.ts'

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

test('finds the servers among the plugins, and none where there is to be none', () => {
  const server = { options: { host: 'localhost' }, setupMiddlewares() {}, startCallback() {} }
  const devServer = { hot: true }
  expect(listDevServers({ plugins: [undefined, server, { options: {} }], output: {}, devServer })).toEqual([
    devServer,
    server.options,
  ])
  expect(listDevServers({ plugins: [server], output: {}, devServer: false })).toEqual([])
})
