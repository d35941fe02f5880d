import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { http, HttpResponse, sse } from '../index.ts'
import { setupServer } from './setup-server.ts'

let collectGarbage: () => void

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
})

/** Returns the bytes in use after a full garbage collection. */
async function heapInUse(): Promise<number> {
  // Finalizers, and the objects that they release, need several turns.
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return process.memoryUsage().heapUsed
}

/**
 * Returns the bytes that each repetition leaves in memory, after the code is warm and tables have their final size.
 *
 * @param batch repeats so many times
 */
async function growthOf(
  count: number,
  batch: (times: number) => Promise<void>,
  warmUp: number = count / 10,
): Promise<number> {
  await batch(warmUp)
  const before = await heapInUse()
  await batch(count)
  return ((await heapInUse()) - before) / count
}

/** The bytes that the measurement itself may leave. A closure with its context takes more, and a connection took 22,000. */
const nothing = 100

const server = setupServer(
  http.get('http://api.test/user', () => HttpResponse.json({ name: 'Ada' })),
  http.post('http://api.test/echo', async ({ request }) => HttpResponse.text(await request.text())),
)

afterEach(() => server.close())

async function ask(): Promise<string> {
  const [message] = (await once(get('http://api.test/user'), 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of message) text += String(chunk)
  return text
}

async function inTurn(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await run()
}

async function paced(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    await run()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

describe.each<[name: string, repeat: typeof inTurn]>([
  ['back to back', inTurn],
  ['paced', paced],
])('10,000 mocked requests, %s, leave nothing behind', (_name, repeat) => {
  it('by fetch', { timeout: 120_000 }, async () => {
    server.listen()
    const run = async () => (await fetch('http://api.test/user')).json()
    expect(await growthOf(10_000, (times) => repeat(times, run))).toBeLessThan(nothing)
  })

  it('by fetch, with bodies', { timeout: 120_000 }, async () => {
    server.listen()
    const run = async () => (await fetch('http://api.test/echo', { method: 'POST', body: 'text' })).text()
    expect(await growthOf(10_000, (times) => repeat(times, run), 10_000)).toBeLessThan(nothing)
  })

  it('by http', { timeout: 240_000 }, async () => {
    server.listen()
    // Tables of Node 22 grow during some thousand requests.
    expect(await growthOf(10_000, (times) => repeat(times, ask), 10_000)).toBeLessThan(nothing)
  })
})

it('no part of a request is kept', { timeout: 60_000 }, async () => {
  server.listen()
  const kept: WeakRef<object>[] = []
  server.events.on('response:mocked', ({ request, response }) => {
    kept.push(new WeakRef(request), new WeakRef(response))
  })
  for (let turn = 0; turn < 100; turn += 1) {
    const response = await fetch('http://api.test/user')
    await response.json()
    kept.push(new WeakRef(response))
    await ask()
  }
  server.events.removeAllListeners()
  await heapInUse()
  // A register of the processor may still reference the last one.
  expect(kept.filter((reference) => reference.deref()).length).toBeLessThan(6)
})

it('1,000 switches of stories leave no handler in memory', async () => {
  const network = new Network([http.get('*/user', () => HttpResponse.text('initial'))])
  const stories: WeakRef<object>[] = []
  const show = async (index: number): Promise<void> => {
    const token = {}
    const handler = http.get('*/user', () => HttpResponse.text(`story ${index}`))
    stories.push(new WeakRef(token), new WeakRef(handler))
    network.layers.install(token, [handler])
    const outcome = await handleRequest(new Request('http://api.test/user'), network)
    expect(outcome.type === 'mocked' && (await outcome.response.text())).toBe(`story ${index}`)
    network.layers.remove(token)
  }
  expect(
    await growthOf(1000, async (times) => {
      for (let index = 0; index < times; index += 1) await show(index)
      stories.splice(0, stories.length - 100)
    }),
  ).toBeLessThan(1000)
  expect(stories.filter((reference) => reference.deref()).length).toBeLessThan(6)
  expect(network.layers.entries()).toHaveLength(1)
})

describe('a stream that runs for hours uses as much memory as a new one', () => {
  /** Reads a number of messages. */
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>, bytes: number): Promise<void> {
    for (let got = 0; got < bytes;) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the stream ended')
      got += value.byteLength
    }
  }

  it('of bytes', { timeout: 60_000 }, async () => {
    server.use(
      http.get('http://api.test/endless', () => {
        const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1000))
        return new HttpResponse(new ReadableStream({ pull }))
      }),
    )
    server.listen()
    const { body } = await fetch('http://api.test/endless')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect(await growthOf(20_000, (times) => read(reader, times * 1000))).toBeLessThan(nothing)
    await reader.cancel()
    server.resetHandlers()
  })

  it('of events', { timeout: 60_000 }, async () => {
    let send: (() => void) | undefined
    server.use(
      sse('http://api.test/events', ({ client }) => {
        send = () => client.send({ data: 'x'.repeat(100) })
      }),
    )
    server.listen()
    const { body } = await fetch('http://api.test/events', { headers: { Accept: 'text/event-stream' } })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect(
      await growthOf(20_000, async (times) => {
        for (let turn = 0; turn < times; turn += 1) {
          send?.()
          await reader.read()
        }
      }),
    ).toBeLessThan(nothing)
    await reader.cancel()
    server.resetHandlers()
  })
})
