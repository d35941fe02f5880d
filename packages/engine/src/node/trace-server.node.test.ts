import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

const backend = createServer((_request, response) => response.end('real'))
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
})
afterAll(() => backend.close())

const program = `
import { get } from 'node:http'
import { graphql, http, HttpResponse, ws } from ${JSON.stringify(import.meta.resolve('../index.ts'))}
import { setupServer } from ${JSON.stringify(import.meta.resolve('../node.ts'))}

const origin = process.argv[1]
const server = setupServer(
  http.get(origin + '/user/:id', () => HttpResponse.json({}), { predicate: ({ params }) => params.id === '1' }),
  graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
  http.get(origin + '/broken', () => { throw new Error('first\\n  second') }),
  ws.link('ws://socket.test').addEventListener('connection', ({ client }) => client.close(4000, 'enough')),
)
server.listen({ onUnhandledRequest: 'bypass' })
server.use(http.get(origin + '/user/:id', () => HttpResponse.text('mocked')))
const texts = [await (await fetch(origin + '/user/5')).text()]
texts.push(await (await fetch(origin + '/users/5')).text())
const body = JSON.stringify({ query: 'query GetUsers { other }' })
await (await fetch(origin + '/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).text()
await new Promise((resolve) => get(origin + '/user/6', (response) => response.resume().on('end', resolve)))
await fetch(origin + '/broken')
await fetch(origin + '/user/7', { signal: AbortSignal.abort() }).catch(() => {})
await new Promise((resolve) => { new WebSocket('ws://socket.test').onclose = resolve })
server.close()
texts.push(await (await fetch(origin + '/user/5')).text())
console.log(JSON.stringify(texts))
`

/** Runs the program in a separate Node process. */
async function run(debug: string | undefined): Promise<{ texts: unknown; lines: string[] }> {
  const args = ['--conditions=@understudy/source', '--input-type=module', '--eval', program, origin]
  const { DEBUG: _, ...env } = process.env
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { ...env, ...(debug !== undefined && { DEBUG: debug }) },
    cwd: import.meta.dirname,
  })
  const lines = stderr.split('\n').filter((line) => line.startsWith('understudy '))
  return { texts: JSON.parse(stdout), lines }
}

test('DEBUG=understudy prints every step of every request of a process, from the first one on', async () => {
  const { texts, lines } = await run('understudy')
  expect(texts).toEqual(['mocked', 'real', 'real'])
  const steps = lines.map((line) =>
    line
      .replaceAll(origin, '')
      .replace(/^understudy (?:[\da-f]+-)?(ws-)?(\d+) \+[\d.]+ ms +/, '$1$2 ')
      .replaceAll(/ +/g, ' ')
      .replaceAll(/ \([^)]*:\d+:\d+\)/g, ''),
  )
  expect(steps).toEqual([
    'understudy trace is on: DEBUG=understudy. Handlers: 5.',
    '1 start GET /user/5',
    '1 source in this process',
    '1 handler 1 of 5, runtime, GET /user/:id: match, runs its resolver',
    '1 mocked 200 OK by GET /user/:id',
    '2 start GET /users/5',
    '2 source in this process',
    '2 unhandled none of 5 handlers matches: the request goes to the network',
    '2 nearest 1 of 5, runtime, GET /user/:id: segment 1 differs: `user` expected, `users` sent',
    '2 nearest 2 of 5, initial, GET /user/:id: segment 1 differs: `user` expected, `users` sent',
    '3 start POST /graphql',
    '3 source in this process',
    '3 unhandled none of 5 handlers matches: the request goes to the network',
    expect.stringMatching(/^3 nearest 3 of 5, initial, query GetUser/),
    '4 start GET /user/6',
    '4 source in this process',
    '4 handler 1 of 5, runtime, GET /user/:id: match, runs its resolver',
    '4 mocked 200 OK by GET /user/:id',
    '5 start GET /broken',
    '5 source in this process',
    '5 handler 4 of 5, initial, GET /broken: match, runs its resolver',
    '5 resolver threw Error: first second',
    '5 mocked 500 Internal Server Error by GET /broken',
    'ws-1 connection WebSocket ws://socket.test/: taken by WS ws://socket.test',
    'ws-1 connection open',
    'ws-1 connection closed with 4000 enough',
  ])
})

test.each([undefined, 'app', '*,-understudy'])('DEBUG is %j: nothing is printed', async (debug) => {
  const { texts, lines } = await run(debug)
  expect(texts).toEqual(['mocked', 'real', 'real'])
  expect(lines).toEqual([])
})
