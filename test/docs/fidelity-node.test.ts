import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer, get as getSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { TLSSocket } from 'node:tls'

import { http, HttpResponse, passthrough } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { expect, test } from 'vitest'

import { certificate } from '../certificate.ts'
import { compareProperties, readProperties } from './public-properties.ts'

const page = resolve(import.meta.dirname, '../../docs/fidelity-node.md')

const body = JSON.stringify({ id: 1 })
const headers = { 'Content-Type': 'application/json', 'X-Custom': 'a', 'Content-Length': String(body.length) }

const answer: RequestListener = (request, response) => {
  if (request.url?.startsWith('/reset')) request.socket.resetAndDestroy()
  else if (request.url === '/end-by-server') request.socket.end()
  else response.sendDate = false
  if (request.url === '/user' || request.url === '/passed') response.writeHead(201, 'Created', headers).end(body)
}
const real = createServer(answer)
const realSecure = createSecureServer(certificate, answer)

const server = setupServer(
  http.get('*/user', () => new HttpResponse(body, { status: 201, statusText: 'Created', headers })),
  http.get('*/passed', () => passthrough()),
  http.get('*/*-by-server', () => passthrough()),
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

/** Returns the properties of a response and of a failure with `fetch`. */
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

/** Returns the same with `node:http`. */
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

/** Returns the properties of a connection of `node:http` to an IP address, with two requests. */
async function factsOfConnection(url: string): Promise<Facts> {
  const agent = new Agent({ keepAlive: true })
  const facts: Facts = {}
  for (const name of ['first request', 'second request']) {
    const events: string[] = []
    const request = get(url, { agent })
    const note = (event: string): number => events.push(event)
    request.once('socket', (socket) => {
      note('socket')
      socket.once('connect', () => note('connect'))
    })
    for (const event of ['finish', 'response', 'close']) request.once(event, () => note(event))
    const [message] = (await once(request, 'response')) as [IncomingMessage]
    for (const event of ['data', 'end']) message.once(event, () => note(event))
    await once(request, 'close')
    const socket = request.socket
    facts[`${name}: events`] = events.join(', ')
    facts[`${name}: reusedSocket`] = request.reusedSocket
    facts[`${name}: headers of the connection`] = [message.headers.connection, message.headers['keep-alive']]
    facts[`${name}: typeof bytesWritten`] = typeof socket?.bytesWritten
    facts[`${name}: remoteAddress, remoteFamily`] = [socket?.remoteAddress, socket?.remoteFamily]
    facts[`${name}: typeof remotePort, localPort`] = [typeof socket?.remotePort, typeof socket?.localPort]
    // The agent gets the socket back after the event.
    await new Promise(setImmediate)
  }
  agent.destroy()
  return facts
}

/** Returns the properties of a connection of `node:https` to a host name. */
async function factsOfTls(url: string): Promise<Facts> {
  const events: string[] = []
  const note = (event: string): number => events.push(event)
  const request = getSecurely(url, { agent: false, family: 4, rejectUnauthorized: false })
  let tls: TLSSocket | undefined
  request.once('socket', (socket) => {
    tls = socket as TLSSocket
    for (const event of ['lookup', 'connect', 'secureConnect']) socket.once(event, () => note(event))
  })
  request.once('response', () => note('response'))
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  await message.toArray()
  const certificateOfPeer = attempt(() => tls?.getPeerCertificate())
  return {
    events: events.join(', '),
    encrypted: tls?.encrypted,
    'authorized, authorizationError': [tls?.authorized, String(tls?.authorizationError ?? null)],
    alpnProtocol: tls?.alpnProtocol,
    servername: tls?.servername,
    'getProtocol()': attempt(() => tls?.getProtocol()),
    'typeof getCipher().name': attempt(() => typeof tls?.getCipher()?.name),
    'getPeerCertificate() has a subject': Boolean((certificateOfPeer as { subject?: unknown } | undefined)?.subject),
    'getSession() is a Buffer': attempt(() => Buffer.isBuffer(tls?.getSession())),
    'isSessionReused()': attempt(() => tls?.isSessionReused()),
    'bytesRead > 0, bytesWritten > 0': [Number(tls?.bytesRead) > 0, Number(tls?.bytesWritten) > 0],
  }
}

const show = (value: unknown): string => `\`${(JSON.stringify(value) ?? 'undefined').replaceAll('|', '\\|')}\``

function tableOf(mocked: Facts, genuine: Facts, kind = 'mocked'): string {
  const rows = Object.keys(genuine).map((name) => {
    const [a, b] = [show(mocked[name]), show(genuine[name])]
    return `| ${name} | ${a === b ? 'same' : 'different'} | ${a} | ${b} |`
  })
  return [`| property | | ${kind} | real server |`, '|---|---|---|---|', ...rows].join('\n')
}

/** Returns the properties of a connection of `node:http` that fails before the response. */
async function factsOfFailures(origin: string, refused: string): Promise<Facts> {
  const facts: Facts = {}
  for (const [name, url] of [
    ['a refused connection', refused],
    ['a connection that is reset', `${origin}/reset-by-server`],
    ['a connection that ends', `${origin}/end-by-server`],
  ] as const) {
    const events: string[] = []
    const request = get(url, { agent: false })
    for (const event of ['socket', 'finish', 'response', 'error', 'close'])
      request.once(event, () => events.push(event))
    const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException]
    if (!request.closed) await once(request, 'close')
    facts[`${name}: events`] = events.join(', ')
    facts[`${name}: error.code, error.syscall`] = [error.code, error.syscall]
    facts[`${name}: error.message`] = error.message.replace(/:\d+$/, '')
  }
  return facts
}

function tableOfDifferences(rows: readonly (readonly string[])[], kind: string): string {
  const lines = rows.map(([name, a, b]) => `| ${name} | \`${a}\` | \`${b}\` |`)
  return [`| property | ${kind} | real server |`, '|---|---|---|', ...lines].join('\n')
}

test('docs/fidelity-node.md compares mocked responses with those of a server', async () => {
  real.listen(0)
  await once(real, 'listening')
  const origin = `http://localhost:${(real.address() as AddressInfo).port}`
  const address = origin.replace('localhost', '127.0.0.1')
  realSecure.listen(0)
  await once(realSecure, 'listening')
  const secure = `https://localhost:${(realSecure.address() as AddressInfo).port}`
  const connection = await factsOfConnection(`${address}/user`)
  const tls = await factsOfTls(`${secure}/user`)
  // No server listens on the first port.
  const refused = 'http://127.0.0.1:1/refused-by-server'
  const failures = await factsOfFailures(address, refused)
  const properties = await Promise.all(
    [`${origin}/user`, `${secure}/user`, `${origin}/passed`, `${secure}/passed`].map(readProperties),
  )
  const genuine = { fetch: await factsOfFetch(origin), http: await factsOfHttp(origin) }
  server.listen({ onUnhandledRequest: 'error' })
  const mocked = { fetch: await factsOfFetch(origin), http: await factsOfHttp(origin) }
  const mockedConnection = await factsOfConnection(`${address}/user`)
  const passedConnection = await factsOfConnection(`${address}/passed`)
  const mockedTls = await factsOfTls(`${secure}/user`)
  const passedTls = await factsOfTls(`${secure}/passed`)
  const passedFailures = await factsOfFailures(address, refused)
  const compare = async (url: string, index: number) =>
    compareProperties(await readProperties(url), properties[index] ?? {})
  const mockedProperties = [...(await compare(`${origin}/user`, 0)), ...(await compare(`${secure}/user`, 1))]
  const passedProperties = [...(await compare(`${origin}/passed`, 2)), ...(await compare(`${secure}/passed`, 3))]
  server.close()
  real.close()
  realSecure.close()
  const text = `# Mocked and real in Node

This page compares what Node clients see of a mocked response and of the same response from a real server. A test generates it and fails if it is out
of date. To update it, run \`UPDATE_FIDELITY=1 npm run test:only -- fidelity-node\`.

## \`fetch\`

${tableOf(mocked.fetch, genuine.fetch)}

Reason for the difference: a mocked response has only the headers that its handler sets.

## \`node:http\`

${tableOf(mocked.http, genuine.http)}

An \`HttpResponse\` keeps the case and order of header names as the handler wrote them. A \`Headers\` object and the global \`Response\` sort names and
convert them to lower case.

## Connections of \`node:http\`, mocked

${tableOf(mockedConnection, connection)}

Reason for the difference: a mocked response has only the headers that its handler sets, because tests compare them. \`Connection\` and
\`Keep-Alive\` are not added. A mocked connection never times out, so clients do not need a limit.

## Connections of \`node:http\`, passed through

${tableOf(passedConnection, connection, 'passed through')}

The client keeps its intercepted socket, and another socket carries the request. The local port of the client's socket is therefore not the one that
the server sees.

## Connections of \`node:https\`, mocked

${tableOf(mockedTls, tls)}

Reason for the difference: there is no certificate to check, so the connection counts as trusted. Without a TLS handshake there is no session to
resume.

## Connections of \`node:https\`, passed through

${tableOf(passedTls, tls, 'passed through')}

Reason for the difference: the server's certificate is checked on the connection that carries the request. If it is rejected, the request fails with
the same error. If the client accepts it anyway, the client's own socket does not show the problem.

## Connections that fail, passed through

${tableOf(passedFailures, failures, 'passed through')}

Reason for the difference: the client's own socket is connected at once, and takes the request. The connection to the server is opened after that.

## All other properties

The test also compares the types and values of all public properties of \`ClientRequest\`, \`IncomingMessage\`, \`net.Socket\` and \`tls.TLSSocket\`: once when
the response has ended, and once when the connection is closed. Only these differ, for the reasons above.

${tableOfDifferences(mockedProperties, 'mocked')}

${tableOfDifferences(passedProperties, 'passed through')}
`
  if (process.env['UPDATE_FIDELITY']) await writeFile(page, text)
  expect(await readFile(page, 'utf8')).toBe(text)
})
