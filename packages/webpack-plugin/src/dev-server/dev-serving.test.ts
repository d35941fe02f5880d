import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'
import webpack from 'webpack'

import { UnderstudyWebpackPlugin } from '../understudy-webpack-plugin.ts'
import { listHandlers } from './dev-serving.ts'

/** Serves the panel of compilers with these handlers files, and returns the panel's page. */
async function readPanel(compilers: { handlers?: string; target?: string }[]): Promise<string> {
  const created = webpack(
    compilers.map(({ handlers, target = 'web' }) => ({
      mode: 'development' as const,
      target,
      plugins: [new UnderstudyWebpackPlugin({ ...(handlers !== undefined && { handlers }) })],
    })),
  )
  const [panel] = listHandlers(created.compilers, undefined).slice(-1)
  const server = createServer((request, response) => panel?.(request, response, () => response.writeHead(404).end()))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/__understudy/`)
  return response.text()
}

const canSave = expect.stringMatching(/save" content="yes"/)

test.each([
  ['one compiler', [{}]],
  ['compilers with the same handlers', [{}, {}]],
  ['compilers with the same handlers file', [{ handlers: 'mocks/api.ts' }, { handlers: 'mocks/api.ts' }]],
  ['a compiler for pages and one for the server', [{}, { handlers: 'mocks/server.ts', target: 'node' }]],
])('the panel saves handlers of %s', async (_name, compilers) => {
  expect(await readPanel(compilers)).toEqual(canSave)
})

test('the panel does not save handlers of compilers with different files', async () => {
  expect(await readPanel([{}, { handlers: 'mocks/api.ts' }])).not.toEqual(canSave)
})
