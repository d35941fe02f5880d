import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { expect, test } from 'vitest'

const page = resolve(import.meta.dirname, '../../docs/fidelity-node.md')

const body = JSON.stringify({ id: 1 })
const headers = { 'Content-Type': 'application/json', 'X-Custom': 'a', 'Content-Length': String(body.length) }

const real = createServer((request, response) => {
  if (request.url === '/reset') request.socket.resetAndDestroy()
  else response.sendDate = false
  if (request.url === '/user') response.writeHead(201, 'Created', headers).end(body)
})

const server = setupServer(
  http.get('*/user', () => new HttpResponse(body, { status: 201, statusText: 'Created', headers })),
  http.get('*/reset', () => HttpResponse.error()),
)

type Facts = Record<string, unknown>

function attempt(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return `throws ${(error as Error).name}: ${(error as Error).message}`
  }
}

/** What a client of `fetch` can see of an answer, and of a failure. */
async function factsOfFetch(origin: string): Promise<Facts> {
  const response = await fetch(`${origin}/user#part`)
  const { status, statusText, ok, url, redirected, type, bodyUsed } = response
  const clone = response.clone()
  const facts: Facts = {
    status,
    statusText,
    ok,
    url: url.replace(origin, ''),
    redirected,
    type,
    bodyUsed,
    'constructor.name': response.constructor.name,
    'instanceof Response': response instanceof Response,
    'headers (names and values)': [...response.headers],
    'headers.set()': attempt(() => response.headers.set('x-custom', 'b')),
    'headers.append()': attempt(() => response.headers.append('x-custom', 'b')),
    'headers.delete()': attempt(() => response.headers.delete('x-custom')),
    'headers instanceof Headers': response.headers instanceof Headers,
    'body instanceof ReadableStream': response.body instanceof ReadableStream,
    'json()': await response.json(),
    'bodyUsed after json()': response.bodyUsed,
    'clone(): url, type': [clone.url.replace(origin, ''), clone.type],
    'clone().headers.set()': attempt(() => clone.headers.set('x-custom', 'b')),
    'clone().text()': await clone.text(),
  }
  const error = (await fetch(`${origin}/reset`).catch((reason: unknown) => reason)) as Error & { cause: Facts }
  return {
    ...facts,
    'a reset connection: error': `${error.name}: ${error.message}`,
    'a reset connection: cause instanceof Error': error.cause instanceof Error,
    'a reset connection: cause.code': error.cause.code,
  }
}

/** What a client of `node:http` can see of the same. */
async function factsOfHttp(origin: string): Promise<Facts> {
  const request = get(`${origin}/user`, { agent: false })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode, statusMessage, httpVersion, rawHeaders } = message
  const chunks = await message.toArray()
  const failing = get(`${origin}/reset`, { agent: false })
  const [error] = (await once(failing, 'error')) as [Error & { code?: string }]
  return {
    statusCode,
    statusMessage,
    httpVersion,
    'rawHeaders (names as written, without Connection)': rawHeaders.filter(
      (text, index) => !/^connection$/i.test(rawHeaders[index - (index % 2)] ?? text),
    ),
    headers: { ...message.headers, connection: undefined },
    'complete at the end': message.complete,
    body: Buffer.concat(chunks as Buffer[]).toString(),
    trailers: message.trailers,
    'a reset connection: error.code': error.code,
  }
}

const show = (value: unknown): string => `\`${(JSON.stringify(value) ?? 'undefined').replaceAll('|', '\\|')}\``

function tableOf(mocked: Facts, genuine: Facts): string {
  const rows = Object.keys(genuine).map((name) => {
    const [a, b] = [show(mocked[name]), show(genuine[name])]
    return `| ${name} | ${a === b ? 'same' : 'different'} | ${a} | ${b} |`
  })
  return ['| property | | mocked | real server |', '|---|---|---|---|', ...rows].join('\n')
}

test('docs/fidelity-node.md says how a mocked answer compares with that of a server', async () => {
  real.listen(0)
  await once(real, 'listening')
  const origin = `http://localhost:${(real.address() as AddressInfo).port}`
  const genuine = { fetch: await factsOfFetch(origin), http: await factsOfHttp(origin) }
  server.listen({ onUnhandledRequest: 'error' })
  const mocked = { fetch: await factsOfFetch(origin), http: await factsOfHttp(origin) }
  server.close()
  real.close()
  const text = `# Mocked and real in Node

What a client of Node sees of the same answer, mocked and from a real server. A test makes this page and fails when it is out
of date; \`UPDATE_FIDELITY=1 npm run test:only -- fidelity-node\` writes it.

## \`fetch\`

${tableOf(mocked.fetch, genuine.fetch)}

## \`node:http\`

${tableOf(mocked.http, genuine.http)}
`
  if (process.env['UPDATE_FIDELITY']) await writeFile(page, text)
  expect(await readFile(page, 'utf8')).toBe(text)
})
