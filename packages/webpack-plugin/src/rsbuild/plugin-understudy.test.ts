import type { ConnectMiddleware, ServerAnswer, ServerRequest } from '@understudy/panel/server'
import { expect, test } from 'vitest'

import { pluginUnderstudy } from './plugin-understudy.ts'
import type { RsbuildApi } from './rsbuild-api.ts'

/** Returns the status of a request for the panel; `undefined` if the plugin leaves it to Rsbuild. */
function ask(headers: ServerRequest['headers'], server: object = {}): number | undefined {
  let handle: ConnectMiddleware | undefined
  const api: RsbuildApi = {
    logger: { log() {} },
    modifyEnvironmentConfig() {},
    modifyRspackConfig() {},
    onAfterCreateCompiler() {},
    onBeforeStartDevServer: (callback) =>
      callback({ server: { middlewares: { use: (given: ConnectMiddleware) => (handle = given) } } }),
    onAfterStartDevServer() {},
    getNormalizedConfig: () => ({ server }),
  }
  pluginUnderstudy().setup(api)
  let status: number | undefined
  const answer = { writeHead: (given: number) => (status = given), end() {} } as Partial<ServerAnswer> as ServerAnswer
  handle?.({ method: 'GET', url: '/__understudy/', headers } as ServerRequest, answer, () => {})
  return status
}

test.each<[name: string, headers: ServerRequest['headers'], status: number | undefined]>([
  ['HTTP/1.1', { host: 'localhost:3000' }, undefined],
  ['HTTP/1.1 with the name of another site', { host: 'rebound.test:3000' }, 403],
  ['HTTP/2', { ':authority': 'localhost:3000' }, undefined],
  ['HTTP/2 with the name of another site', { ':authority': 'rebound.test:3000' }, 403],
  ['HTTP/2 with both names', { ':authority': 'localhost:3000', host: 'rebound.test' }, 403],
  ['no name', {}, 403],
])('the panel by %s', (_name, headers, status) => {
  expect(ask(headers)).toBe(status)
})

test('the host check of Rsbuild replaces the own check', () => {
  expect(ask({ host: 'rebound.test' }, { allowedHosts: ['dev.test'] })).toBe(undefined)
})
