import { connect } from 'node:net'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { describeRequest, startCountingServer, type CountingServer } from './counting-server.ts'
import { clientsByFetch, createOddClients, oddRequests, type OddClient, type OddRequest } from './odd-clients.ts'
import { rawProbes, type RawProbe } from './raw-probes.ts'

/**
 * Each request is made twice: to a real server, whose result is expected, and with a handler. With the handler, neither
 * that request nor the next one may reach the real server.
 */
const server = setupServer(
  http.all(/./, async ({ request, url }) => {
    const body = Buffer.from(await request.arrayBuffer())
    const path = url.href.slice(url.origin.length)
    // No URL has the path "*".
    return HttpResponse.text(describeRequest(request.method, path === '/*' ? '*' : path, body))
  }),
)
let plain: CountingServer
let secure: CountingServer

beforeAll(async () => {
  plain = await startCountingServer()
  secure = await startCountingServer(true)
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
})
afterAll(() => {
  plain.close()
  secure.close()
})

/**
 * Calls back after some turns of the event loop, each after 10 ms. A busy machine may stop this process for seconds, while the
 * clients and the server, which are in it, cannot continue either.
 *
 * @returns a function that ends the wait
 */
function afterTurns(count: number, callback: () => void): () => void {
  let left = count
  let timer: NodeJS.Timeout
  const wait = (): void => {
    timer = setTimeout(() => {
      left -= 1
      if (left > 0) wait()
      else callback()
    }, 10)
  }
  wait()
  return () => clearTimeout(timer)
}

/** Returns the outcome for a client: an answer, the kind of an error, or a time-out. */
async function outcomeOf(client: OddClient, origin: string, request: OddRequest): Promise<string> {
  let end: (() => void) | undefined
  const late = new Promise<string>((resolve) => {
    end = afterTurns(500, () => resolve('hangs'))
  })
  try {
    return await Promise.race([client(origin, request), late])
  } catch (error) {
    return `fails: ${errorCode(error)}`
  } finally {
    end?.()
  }
}

function errorCode(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: string }
  if (typeof code === 'string' && code !== 'ERR_NETWORK') return code
  return cause ? errorCode(cause) : (name ?? 'Error')
}

type Outcomes = Record<string, string>

/** Lets every client make every request, followed by a plain one. The clients run concurrently. */
async function runAll(): Promise<Record<string, Outcomes>> {
  const all: Record<string, Outcomes> = {}
  const run = async ([name, client]: [string, OddClient]): Promise<void> => {
    const { origin } = name.startsWith('https') ? secure : plain
    const outcomes: Outcomes = {}
    for (const [odd, request] of Object.entries(oddRequests)) {
      outcomes[odd] = await outcomeOf(client, origin, request)
      outcomes[`after ${odd}`] = await outcomeOf(client, origin, { path: '/next' })
    }
    all[name] = outcomes
  }
  await Promise.all(Object.entries(createOddClients()).map(run))
  return all
}

/** Returns a line for each outcome that differs. A report of whole outcomes, which are many, leaves the different one out. */
function findDifferences(got: Record<string, Outcomes>, expected: Record<string, Outcomes>): string[] {
  expect(Object.keys(got).sort()).toEqual(Object.keys(expected).sort())
  return Object.entries(got).flatMap(([name, outcomes]) => {
    const wanted = expected[name] ?? {}
    expect(Object.keys(outcomes)).toEqual(Object.keys(wanted))
    const different = Object.keys(outcomes).filter((odd) => outcomes[odd] !== wanted[odd])
    return different.map((odd) => `${name}, ${odd}: got "${outcomes[odd]}" instead of "${wanted[odd]}"`)
  })
}

test('clients get the same responses as from a server, and do not reach it', { timeout: 240_000 }, async () => {
  const expected = await runAll()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  server.listen({ onUnhandledRequest: 'error' })
  plain.reached.length = 0
  secure.reached.length = 0
  const got = await runAll()
  expect([...plain.reached, ...secure.reached]).toEqual([])
  for (const name of clientsByFetch) {
    for (const [odd, outcome] of Object.entries(expected[name] ?? {})) {
      if (!outcome.startsWith('200')) delete expected[name]?.[odd]
    }
    expect(got[name]).toMatchObject(expected[name] ?? {})
    delete got[name]
    delete expected[name]
  }
  // There, undici sometimes waits forever and sometimes fails, also with a real server.
  for (const outcomes of [expected, got]) delete outcomes['undici.fetch']?.['a Content-Length that is too small']
  expect(findDifferences(got, expected)).toEqual([])
  for (const outcomes of Object.values(expected)) {
    expect(Object.values(outcomes).filter((outcome) => outcome === '200 GET /next 0:').length).toBeGreaterThan(30)
  }
})

/** Returns the responses on one connection, each as `<status> <body>`, and the end of the connection. */
function exchange({ port, bytesFrom }: CountingServer, pieces: RawProbe, isMocked: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    let end = 'stays open'
    let endWait: (() => void) | undefined
    const wait = (): void => {
      endWait?.()
      endWait = afterTurns(120, () => socket.destroy())
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received += chunk
      wait()
    })
    socket.on('end', () => (end = 'ends'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (end = String(code)))
    socket.on('close', () => {
      endWait?.()
      resolve([...readResponses(received), end].join(' | '))
    })
    void (async () => {
      let sent = 0
      for (const piece of pieces) {
        if (socket.destroyed) break
        socket.write(piece, 'latin1')
        sent += piece.length
        wait()
        // A slow server would read two pieces as one, and may respond differently.
        while (!isMocked && !socket.destroyed && bytesFrom(socket.localPort) < sent) {
          await new Promise((next) => setTimeout(next, 1))
        }
        // In turns as well: after a stop of this process, one time-out would end before the response that comes in between.
        await new Promise<void>((next) => afterTurns(pieces.length > 10 ? 1 : 4, next))
      }
      wait()
    })()
  })
}

function readResponses(received: string): string[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1]
      // Ignore whether the body is chunked or has a declared length.
      const body = /chunked/i.test(head)
        ? rest.join('\r\n\r\n').replace(/^\w+\r\n|\r\n0\r\n.*$/gs, '')
        : rest.join('\r\n\r\n')
      return `${status} ${body}`
    })
}

test(
  'bytes on a socket get the same response as from a server, and do not reach it',
  { timeout: 120_000 },
  async () => {
    const run = async (isMocked: boolean): Promise<Record<string, string>> => {
      const outcomes: Record<string, string> = {}
      const probe = async ([odd, pieces]: [string, RawProbe]): Promise<void> => {
        outcomes[odd] = await exchange(plain, pieces, isMocked)
      }
      await Promise.all(Object.entries(rawProbes).map(probe))
      return outcomes
    }
    const expected = await run(false)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.listen({ onUnhandledRequest: 'error' })
    plain.reached.length = 0
    const got = await run(true)
    expect(Object.keys(got).sort()).toEqual(Object.keys(expected).sort())
    // A report of all outcomes, which are many, leaves the different one out.
    const different = Object.keys(got).filter((odd) => got[odd] !== expected[odd])
    expect(different.map((odd) => `${odd}: got "${got[odd]}" instead of "${expected[odd]}"`)).toEqual([])
    expect(plain.reached).toEqual([])
    // The console explains data that the parser rejects.
    const refused = Object.values(expected).filter((outcome) => outcome.includes('400 '))
    expect(refused.length).toBeGreaterThan(10)
    expect(errors.mock.calls.length).toBeGreaterThanOrEqual(refused.length)
  },
)

test('there are enough requests, clients and byte sequences', () => {
  const clients = Object.keys(createOddClients()).length
  const count = clients * Object.keys(oddRequests).length + Object.keys(rawProbes).length
  expect(clients).toBeGreaterThanOrEqual(15)
  expect(Object.keys(oddRequests).length + Object.keys(rawProbes).length).toBeGreaterThanOrEqual(100)
  expect(count).toBeGreaterThan(800)
})
