import { describe, expect, test, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { ws } from '../../ws/ws.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { carryOut, type NetworkHandle, type Source } from '../source.ts'
import { defineNetwork, NetworkReadyState } from './define-network.ts'

const user = http.get('https://example.com/user', () => HttpResponse.json({ name: 'Ada' }))

/** A client without a network: `send` returns the response of handlers, or describes the request that the network would get. */
class MemorySource implements Source {
  readonly name = 'memory'
  network: NetworkHandle | undefined
  stops = 0

  start(network: NetworkHandle): void {
    this.network = network
  }

  stop(): void {
    this.stops += 1
    this.network = undefined
  }

  async send(url: string, init?: RequestInit): Promise<string> {
    const { network } = this
    if (!network) return 'off'
    const request = new Request(url, init)
    return carryOut<string | Promise<string>>(await network.handle(request), {
      respond: (response) => response.text(),
      fail: (error) => `failed: ${(error as Error).message}`,
      passthrough({ type, onResponse }) {
        onResponse?.(new Response('from the network'))
        return type
      },
    })
  }
}

function define(options: Partial<Parameters<typeof defineNetwork>[0]> = {}) {
  const source = new MemorySource()
  const network = defineNetwork({ handlers: [user], onUnhandledRequest: 'bypass', ...options, sources: [source] })
  return { source, network }
}

describe('a source', () => {
  test('gets responses, errors and passthroughs', async () => {
    const { source, network } = define()
    network.enable()
    expect(await source.send('https://example.com/user')).toBe('{"name":"Ada"}')
    expect(await source.send('https://example.com/other')).toBe('unhandled')
    network.use(http.get('https://example.com/user', () => passthrough()))
    expect(await source.send('https://example.com/user')).toBe('passthrough')
    network.use(http.get('https://example.com/user', () => HttpResponse.error()))
    expect(await source.send('https://example.com/user')).toMatch(/^failed: Failed to answer GET/)
    network.resetHandlers()
    expect(await source.send('https://example.com/user')).toBe('{"name":"Ada"}')
  })

  test('knows whether the network handles a request, because of handlers, listeners and the policy', () => {
    const { source, network } = define()
    network.enable()
    const wants = (method: string, url: string) => source.network?.wants(method, url)
    const changed = vi.fn<() => void>()
    const end = source.network?.onChange(changed)
    expect([wants('get', 'https://example.com/user'), wants('GET', 'https://example.com/other')]).toEqual([true, false])
    network.use(http.get('https://example.com/other', () => {}))
    expect(wants('GET', 'https://example.com/other')).toBe(true)
    network.resetHandlers()
    expect(wants('GET', 'https://example.com/other')).toBe(false)
    network.events.on('request:start', () => {})
    expect(wants('GET', 'https://example.com/other')).toBe(true)
    expect(changed).toHaveBeenCalledTimes(3)
    end?.()
    network.use(user)
    expect(changed).toHaveBeenCalledTimes(3)
    expect(wants('GET', 'https://[')).toBe(true)
    const strict = define({ onUnhandledRequest: 'error' })
    strict.network.enable()
    expect(strict.source.network?.wants('GET', 'https://example.com/other')).toBe(true)
  })

  test('gets a failure for a request that the policy fails', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { source, network } = define({ onUnhandledRequest: 'error' })
    network.enable()
    expect(await source.send('https://example.com/other')).toContain('no handler matches it')
    printed.mockRestore()
  })

  test('reports the response of a passthrough', async () => {
    const { source, network } = define()
    const heard = new Promise((resolve) => network.events.on('response:bypass', ({ response }) => resolve(response)))
    network.enable()
    await source.send('https://example.com/other')
    expect(await ((await heard) as Response).text()).toBe('from the network')
  })

  test('names its requests in events', async () => {
    const { source, network } = define()
    const ids: string[] = []
    network.events.on('request:start', ({ requestId }) => ids.push(requestId))
    network.enable()
    await source.network?.handle(new Request('https://example.com/user'), { requestId: 'mine' })
    expect(ids).toEqual(['mine'])
  })

  test('can send the request that it passed', async () => {
    const { source, network } = define({
      handlers: [http.post('https://example.com/user', async ({ request }) => void (await request.text()))],
    })
    network.enable()
    const request = new Request('https://example.com/user', { method: 'POST', body: 'text' })
    await source.network?.handle(request)
    expect(await request.text()).toBe('text')
  })

  test('gets an error for a value that is not a readable request', async () => {
    const { source, network } = define()
    network.enable()
    const handle = source.network?.handle
    await expect(handle?.('https://example.com/user' as never)).rejects.toThrow(
      /^Failed to handle a request: the request is the string/,
    )
    const read = new Request('https://example.com/user', { method: 'POST', body: 'text' })
    await read.text()
    await expect(handle?.(read)).rejects.toThrow(/^Failed to handle a request: the body of POST .* was already read/)
  })
})

describe('enable and disable', () => {
  test('start and stop sources, and set readyState', async () => {
    const { source, network } = define()
    expect(network.readyState).toBe(NetworkReadyState.DISABLED)
    expect(network.enable()).toBeUndefined()
    expect(network.readyState).toBe(NetworkReadyState.ENABLED)
    expect(network.disable()).toBeUndefined()
    expect(network.readyState).toBe(NetworkReadyState.DISABLED)
    expect(await source.send('https://example.com/user')).toBe('off')
    network.enable()
    expect(await source.send('https://example.com/user')).toBe('{"name":"Ada"}')
  })

  test('throw in the wrong state', () => {
    const { source, network } = define()
    expect(() => network.disable()).toThrow(
      /^Failed to disable the network: it is not enabled\. Call enable\(\) first\./,
    )
    network.enable()
    expect(() => network.enable()).toThrow(/^Failed to enable the network: it is enabled\. Call disable\(\) first\./)
    expect(() => network.configure({})).toThrow(/^Failed to configure the network: it is enabled\./)
    expect(source.network).toBeDefined()
  })

  test('wait for sources that are asynchronous', async () => {
    const steps: string[] = []
    const slow = {
      name: 'slow',
      async start() {
        await Promise.resolve()
        steps.push('started')
      },
      async stop() {
        await Promise.resolve()
        steps.push('stopped')
      },
    }
    const network = defineNetwork({ sources: [slow] })
    const started: Promise<void> = network.enable()
    expect(steps).toEqual([])
    await started
    const stopped: Promise<void> = network.disable()
    await stopped
    expect(steps).toEqual(['started', 'stopped'])
  })

  test.each(['throws', 'rejects'])('stop all sources if one of them %s when it starts', async (kind) => {
    const source = new MemorySource()
    const broken = {
      name: 'broken',
      stop: vi.fn<() => void>(),
      start(): void | Promise<void> {
        const error = new Error('no port')
        if (kind === 'rejects') return Promise.reject(error)
        throw error
      },
    }
    const network = defineNetwork({ sources: [source, broken], handlers: [user] })
    await expect(async () => network.enable()).rejects.toThrow('no port')
    expect([source.stops, broken.stop.mock.calls.length]).toEqual([1, 1])
    expect(network.readyState).toBe(NetworkReadyState.DISABLED)
  })

  test('stop the other sources if one fails to stop', () => {
    const source = new MemorySource()
    const broken = {
      name: 'broken',
      start() {},
      stop(): void {
        throw new Error('stuck')
      },
    }
    const network = defineNetwork({ sources: [broken, source] })
    network.enable()
    expect(() => network.disable()).toThrow('stuck')
    expect(source.stops).toBe(1)
    expect(network.readyState).toBe(NetworkReadyState.DISABLED)
  })
})

test('a start that fails after disable() does not stop the sources that enable() has started since', async () => {
  let reject: (error: Error) => void = () => {}
  const source = {
    name: 'slow',
    starts: 0,
    stops: 0,
    start(): void | Promise<void> {
      this.starts += 1
      if (this.starts > 1) return
      return new Promise((_resolve, fail) => {
        reject = fail
      })
    },
    stop() {
      this.stops += 1
    },
  }
  const network = defineNetwork({ sources: [source] })
  const first = network.enable()
  network.disable()
  void network.enable()
  reject(new Error('too late'))
  await expect(first).rejects.toThrow('too late')
  expect([source.starts, source.stops, network.readyState]).toEqual([2, 1, NetworkReadyState.ENABLED])
})

test('options can be replaced while the network is disabled', async () => {
  const { source, network } = define()
  const other = new MemorySource()
  network.configure({
    sources: [other],
    handlers: [http.get('https://example.com/user', () => new HttpResponse('configured'))],
  })
  network.enable()
  expect(source.network).toBeUndefined()
  expect(await other.send('https://example.com/user')).toBe('configured')
  expect(other.network?.wants('GET', 'https://example.com/other')).toBe(false)
  network.disable()
  network.configure({ onUnhandledRequest: 'warn' })
  network.enable()
  expect(other.network?.wants('GET', 'https://example.com/other')).toBe(true)
})

test('relative paths are relative to the base URL, and cookies are kept', async () => {
  const { source, network } = define({
    context: { baseUrl: 'https://app.example' },
    handlers: [
      http.get('/login', () => new HttpResponse('in', { headers: { 'Set-Cookie': 'a=1' } })),
      http.get('/user', ({ cookies }) => HttpResponse.text(cookies['a'] ?? 'none')),
    ],
  })
  network.enable()
  expect(await source.send('https://app.example/login', { credentials: 'include' })).toBe('in')
  expect(await source.send('https://app.example/user', { credentials: 'include' })).toBe('1')
  network.cookies.clear()
  expect(await source.send('https://app.example/user', { credentials: 'include' })).toBe('none')
})

test('WebSocket handlers are accepted', () => {
  const chat = ws.link('wss://example.com/chat').addEventListener('connection', () => {})
  const { network } = define({ handlers: [user, chat] })
  network.enable()
  expect(network.listHandlers()).toEqual([user, chat])
  network.disable()
})

describe('bad options', () => {
  test.each<[string, unknown, RegExp]>([
    ['none', undefined, /^Failed to define a network: its options are undefined\./],
    ['no sources', {}, /^Failed to define a network: "sources" is undefined\. Pass an array/],
    [
      'a class',
      { sources: [MemorySource] },
      /^Failed to define a network: item 1 of "sources" is the function "MemorySource"/,
    ],
    ['no source', { sources: [null] }, /^Failed to define a network: item 1 of "sources" is null\./],
    [
      'no handler',
      { sources: [], handlers: [1] },
      /^Failed to define a network: item 1 of argument 1 is the number 1\./,
    ],
    ['a strategy', { sources: [], onUnhandledRequest: 'erorr' }, /"erorr" is not a valid strategy/],
    ['a base URL', { sources: [], context: { baseUrl: '/x' } }, /"\/x" is not an absolute URL/],
  ])('%s', (_name, options, message) => {
    expect(() => defineNetwork(options as never)).toThrow(message)
  })

  test('change nothing when a network is configured', () => {
    const { source, network } = define()
    expect(() => network.configure({ sources: [], handlers: [1 as never] })).toThrow(/^Failed to configure the network/)
    network.enable()
    expect(source.network).toBeDefined()
  })
})
