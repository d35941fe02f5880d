import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, get, type AgentOptions, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

import axios from 'axios'
import { Agent as UndiciAgent, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer } from './setup-server.ts'

const backend = createServer((_request, response) => response.end('real'))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  url = `http://localhost:${(backend.address() as AddressInfo).port}/mocked`
})
afterAll(() => {
  backend.closeAllConnections()
  backend.close()
})

const server = setupServer(
  http.get('*/mocked', () => HttpResponse.text('mocked')),
  http.get('*/never', () => new Promise<never>(() => {})),
)
afterEach(() => server.close())

const getText = (agent: Agent | false = false): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => resolve(text(response))).on('error', reject)
  })

test('classes and clients that were stored while a server listened work after close(), and are mocked after listen()', async () => {
  server.listen({ onUnhandledRequest: 'error' })
  const api = axios.create({ adapter: 'fetch' })
  const { Request: Kept, fetch: keptFetch } = globalThis
  const ask = async (): Promise<unknown[]> => [
    (await api.get<unknown>(url)).data,
    await (await keptFetch(new Kept(url))).text(),
    await (await fetch(new Kept(url))).text(),
  ]
  expect(await ask()).toEqual(['mocked', 'mocked', 'mocked'])
  server.close()
  expect(await ask()).toEqual(['real', 'real', 'real'])
  server.listen({ onUnhandledRequest: 'error' })
  expect(await ask()).toEqual(['mocked', 'mocked', 'mocked'])
})

test.each<AgentOptions>([{ keepAlive: true }, { keepAlive: true, maxSockets: 1 }, { keepAlive: false }])(
  'an agent keeps no connection across close() and listen(), in any order (%o)',
  async (options) => {
    const agent = new Agent(options)
    for (const step of ['listen', 'close', 'close', 'listen', 'listen', 'close', 'listen', 'close'] as const) {
      server[step]()
      const expected = step === 'listen' ? 'mocked' : 'real'
      for (const _ of [1, 2, 3]) expect(await getText(agent)).toBe(expected)
    }
    agent.destroy()
  },
)

test('a resolver that never settles can be aborted after close(), and does not delay later requests', async () => {
  server.listen()
  const controller = new AbortController()
  const pending = fetch(new URL('/never', url), { signal: controller.signal })
  await new Promise((resolve) => setTimeout(resolve, 20))
  server.close()
  expect(await (await fetch(url)).text()).toBe('real')
  server.listen()
  expect(await (await fetch(url)).text()).toBe('mocked')
  controller.abort()
  await expect(pending).rejects.toThrow('aborted')
})

test('a request of http whose resolver never settles ends if its agent is destroyed after close()', async () => {
  server.listen()
  const agent = new Agent({ keepAlive: true })
  const pending = get(new URL('/never', url), { agent })
  const failed = once(pending, 'error')
  await new Promise((resolve) => setTimeout(resolve, 20))
  server.close()
  agent.destroy()
  expect(((await failed) as [Error])[0].message).toBe('socket hang up')
})

describe('a request that was made before close() is answered by the handlers', () => {
  const clients: Record<string, () => Promise<string>> = {
    fetch: async () => (await fetch(url)).text(),
    http: () => getText(),
    // The agent of Node 22 assigns a kept connection to a request after close() was called.
    ...(process.version.startsWith('v22.') ? {} : { 'http, connections are kept': () => getText(keeping) }),
    'undici Agent': async () => (await undiciRequest(url, { dispatcher: agent })).body.text(),
  }
  const keeping = new Agent({ keepAlive: true })
  const agent = new UndiciAgent()
  afterAll(async () => {
    keeping.destroy()
    await agent.close()
  })

  test.each(Object.entries(clients))('%s, even if close() is called immediately', async (_name, getMocked) => {
    const waits: (() => unknown)[] = [
      () => {},
      () => Promise.resolve(),
      () => new Promise(setImmediate),
      ...[1, 2, 3].map((turns) => async () => {
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      }),
      () => new Promise((resolve) => setTimeout(resolve, 1)),
    ]
    for (const wait of waits) {
      server.listen({ onUnhandledRequest: 'error' })
      const answers = [getMocked(), getMocked(), getMocked()]
      await wait()
      server.close()
      expect(await Promise.all(answers)).toEqual(['mocked', 'mocked', 'mocked'])
      expect(await getMocked()).toBe('real')
    }
  })

  test.each([1, 2])(
    'requests in the queue of an agent with maxSockets %i too, but not later requests',
    async (maxSockets) => {
      const waits: (() => unknown)[] = [
        () => {},
        () => Promise.resolve(),
        () => new Promise(setImmediate),
        () => new Promise((resolve) => setTimeout(resolve, 2)),
      ]
      for (const keepAlive of [true, false]) {
        for (const wait of waits) {
          const limited = new Agent({ keepAlive, maxSockets })
          server.listen({ onUnhandledRequest: 'error' })
          const before = Array.from({ length: 6 }, () => getText(limited))
          await wait()
          server.close()
          const after = Array.from({ length: 3 }, () => getText(limited))
          expect(await Promise.all(before)).toEqual(before.map(() => 'mocked'))
          expect(await Promise.all(after)).toEqual(after.map(() => 'real'))
          server.listen({ onUnhandledRequest: 'error' })
          expect(await getText(limited)).toBe('mocked')
          limited.destroy()
        }
      }
    },
  )

  test('requests that join the queue of an agent after the next listen() are answered by that server', async () => {
    const next = setupServer(http.get('*/mocked', () => HttpResponse.text('next')))
    for (const maxSockets of [1, 2]) {
      const limited = new Agent({ keepAlive: true, maxSockets })
      server.listen({ onUnhandledRequest: 'error' })
      const before = Array.from({ length: 6 }, () => getText(limited))
      await new Promise(setImmediate)
      server.close()
      next.listen({ onUnhandledRequest: 'error' })
      const after = Array.from({ length: 3 }, () => getText(limited))
      expect(await Promise.all(before)).toEqual(before.map(() => 'mocked'))
      expect(await Promise.all(after)).toEqual(after.map(() => 'next'))
      next.close()
      limited.destroy()
    }
  })

  test('http reads a large body completely, even if it reads slowly', async () => {
    const size = 1_000_000
    server.listen()
    server.use(http.get(url, () => new HttpResponse(new Uint8Array(size))))
    const [message] = (await once(get(url, { agent: keeping }), 'response')) as [IncomingMessage]
    let length = 0
    for await (const chunk of message) {
      length += (chunk as Buffer).length
      await new Promise(setImmediate)
      server.close()
    }
    expect(length).toBe(size)
    server.resetHandlers()
    expect(await getText(keeping)).toBe('real')
  })
})

test('fake timers do not delay mocked requests of fetch and http', async () => {
  vi.useFakeTimers()
  try {
    server.listen({ onUnhandledRequest: 'error' })
    expect(await (await fetch(url)).text()).toBe('mocked')
    expect(await getText()).toBe('mocked')
  } finally {
    vi.useRealTimers()
  }
})

describe('other processes and threads', () => {
  const source = (name: string): string => JSON.stringify(pathToFileURL(`${import.meta.dirname}/../${name}`).href)
  const load = `
    const { setupServer } = await import(${source('node.ts')})
    const { http, HttpResponse, delay } = await import(${source('index.ts')})
    const { get } = await import('node:http')
  `

  test.each(['await fetch(url)', 'get(url)'])('process.exit() during %s ends with its code', async (request) => {
    const script = `${load}
      const exit = async () => { setTimeout(() => process.exit(7), 10); await delay('infinite') }
      setupServer(http.get('*', exit)).listen()
      const url = 'http://api.test/'
      ${request}
    `
    const child = execFile(process.execPath, ['--input-type=module', '-e', script])
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  test.each(['fetch(url)', 'get(url)'])('%s whose resolver never settles keeps no process alive', async (call) => {
    const script = `${load}
      const server = setupServer(http.get('*', () => new Promise(() => {})))
      server.listen()
      const url = 'http://api.test/'
      void ${call}
      setTimeout(() => server.close(), 50)
    `
    const child = execFile(process.execPath, ['--input-type=module', '-e', script])
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('a server in a worker of a cluster mocks there, and not in its primary', async () => {
    const script = `
      const { default: cluster } = await import('node:cluster')
      const { text } = await import('node:stream/consumers')
      ${load}
      const url = ${JSON.stringify(url)}
      const ask = async () =>
        [await (await fetch(url)).text(), await new Promise((resolve) => get(url, (response) => resolve(text(response))))]
      if (cluster.isPrimary) {
        const worker = cluster.fork()
        worker.once('message', async (ofWorker) => {
          console.log(JSON.stringify({ ofWorker, ofPrimary: await ask() }))
          worker.kill()
        })
      } else {
        setupServer(http.get('*/mocked', () => HttpResponse.text('of the worker'))).listen()
        process.send(await ask())
      }
    `
    const file = join(await mkdtemp(join(tmpdir(), 'understudy-cluster-')), 'cluster.mjs')
    await writeFile(file, script)
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    expect(JSON.parse(stdout)).toEqual({
      ofWorker: ['of the worker', 'of the worker'],
      ofPrimary: ['real', 'real'],
    })
    await rm(dirname(file), { recursive: true })
  })

  test('a server in a worker thread mocks there, and not in its parent', async () => {
    const script = `(async () => {${load}
      const { parentPort } = await import('node:worker_threads')
      const { text } = await import('node:stream/consumers')
      const server = setupServer(http.get('*/mocked', () => HttpResponse.text('of the worker')))
      server.listen()
      const url = ${JSON.stringify(url)}
      const byGet = await new Promise((resolve) => get(url, (response) => resolve(text(response))))
      parentPort.once('message', () => server.close())
      parentPort.postMessage([await (await fetch(url)).text(), byGet])
    })()`
    const worker = new Worker(script, { eval: true })
    const [answers] = (await once(worker, 'message')) as unknown[]
    expect(answers).toEqual(['of the worker', 'of the worker'])
    expect([await (await fetch(url)).text(), await getText()]).toEqual(['real', 'real'])
    worker.postMessage('close')
    // Nothing keeps the thread alive.
    expect(await once(worker, 'exit')).toEqual([0])
  })
})
