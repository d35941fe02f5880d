import { gzipSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const server = setupServer()

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.events.removeAllListeners()
  server.resetHandlers()
})
afterAll(() => server.close())

const url = 'http://api.test/stream'
const chunk = new Uint8Array(64 * 1024)
/** Chunks that the queues of some streams and copies may hold. */
const few = 10

interface Source {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
  pulls: number
  isCancelled: boolean
}

/** An endless stream that counts its pulls. */
function createSource(bytes: Uint8Array<ArrayBuffer> = chunk): Source {
  const source: Source = {
    body: new ReadableStream({
      pull: (controller) => {
        source.pulls += 1
        // A stream without back-pressure must not fill the memory of the machine.
        if (source.pulls > 5000) controller.close()
        else controller.enqueue(bytes)
      },
      cancel: () => {
        source.isCancelled = true
      },
    }),
    pulls: 0,
    isCancelled: false,
  }
  return source
}

/** Waits until all pending tasks have run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

async function readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, bytes: number): Promise<void> {
  for (let read = 0; read < bytes;) {
    const { value, done } = await reader.read()
    if (done) throw new Error('Failed to read a stream: it ended.')
    read += value.byteLength
  }
}

function bodyOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (!response.body) throw new Error('Failed to read a response: it has no body.')
  return response.body.getReader()
}

describe('fetch pulls a mocked stream only when the app reads it', () => {
  test.each<[name: string, init: RequestInit, listens: boolean]>([
    ['without options', {}, false],
    ['with a signal', { signal: new AbortController().signal }, false],
    ['with a listener that has a copy of the response', {}, true],
  ])('%s', async (_name, init, listens) => {
    const source = createSource()
    server.use(http.get(url, () => new HttpResponse(source.body)))
    if (listens) server.events.on('response:mocked', () => {})
    const reader = bodyOf(await fetch(url, init))
    await settle()
    expect(source.pulls).toBeLessThan(few)
    await readChunks(reader, 50 * chunk.byteLength)
    await settle()
    expect(source.pulls).toBeGreaterThanOrEqual(50)
    expect(source.pulls).toBeLessThan(50 + few)
    await reader.cancel()
    await settle()
    expect(source.isCancelled).toBe(true)
  })

  test('when it is compressed', async () => {
    // A gzip stream may have several members. Random bytes cannot be compressed.
    const source = createSource(new Uint8Array(gzipSync(crypto.getRandomValues(new Uint8Array(chunk.byteLength)))))
    server.use(http.get(url, () => new HttpResponse(source.body, { headers: { 'Content-Encoding': 'gzip' } })))
    const reader = bodyOf(await fetch(url))
    await settle()
    expect(source.pulls).toBeLessThan(few)
    await readChunks(reader, 50 * chunk.byteLength)
    await settle()
    expect(source.pulls).toBeGreaterThanOrEqual(50)
    expect(source.pulls).toBeLessThan(50 + few)
    await reader.cancel()
  })
})

describe('fetch pulls an upload only when the resolver reads it', () => {
  function upload(source: Source): RequestInit {
    return { method: 'POST', body: source.body, duplex: 'half' } as RequestInit
  }

  test('a resolver that reads nothing', async () => {
    const source = createSource()
    server.use(
      http.post(url, async () => {
        await settle()
        return HttpResponse.json(source.pulls)
      }),
    )
    expect(await (await fetch(url, upload(source))).json()).toBeLessThan(few)
  })

  test('a resolver that reads fifty chunks', async () => {
    const source = createSource()
    server.use(
      http.post(url, async ({ request }) => {
        const reader = request.body?.getReader()
        if (!reader) throw new Error('Failed to read a request: it has no body.')
        await readChunks(reader, 50 * chunk.byteLength)
        await settle()
        return HttpResponse.json(source.pulls)
      }),
    )
    const pulls: unknown = await (await fetch(url, upload(source))).json()
    expect(pulls).toBeGreaterThanOrEqual(50)
    expect(pulls).toBeLessThan(50 + few)
  })
})
