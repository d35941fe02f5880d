import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse, rest, type Handler } from '../index.ts'
import { setupServer } from './setup-server.ts'

const url = 'http://api.test/user'
const answer = (body: string): Handler => http.get(url, () => HttpResponse.text(body))
const read = async (): Promise<string> => (await fetch(url)).text()

const server = setupServer(answer('initial'))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

describe.each(['a', 'b', 'c', 'd'])('concurrent tests: %s', (name) => {
  test.concurrent.each([1, 2, 3])(
    'number %i sees only its own handlers',
    server.boundary(async (number: number) => {
      const own = `${name}${number}`
      server.use(answer(own))
      for (let round = 0; round < 5; round += 1) {
        await wait(Math.random() * 4)
        expect(await read()).toBe(own)
      }
    }),
  )

  test.concurrent(
    'another one adds no handlers, and gets none',
    server.boundary(async () => {
      for (let round = 0; round < 5; round += 1) {
        await wait(Math.random() * 4)
        expect(await read()).toBe('initial')
      }
    }),
  )
})

describe('a boundary', () => {
  test('passes arguments, results and errors on, synchronous and asynchronous', async () => {
    expect(server.boundary((a: number, b: number) => a + b)(1, 2)).toBe(3)
    await expect(server.boundary(async (a: string) => a)('x')).resolves.toBe('x')
    await expect(server.boundary(() => Promise.reject(new RangeError('r')))()).rejects.toThrow(RangeError)
    expect(
      server.boundary(() => {
        throw new RangeError('r')
      }),
    ).toThrow(RangeError)
    expect(await read()).toBe('initial')
  })

  test('starts with the handlers of the code that calls it, not of the code that created it', async () => {
    const inside = server.boundary(read)
    server.use(answer('used'))
    expect(await inside()).toBe('used')
  })

  test('does not get later changes outside, and its changes have no effect outside', async () => {
    const gate = Promise.withResolvers<void>()
    const inside = server.boundary(async () => {
      server.use(answer('inside'))
      await gate.promise
      return [await read(), server.listHandlers().length]
    })()
    server.use(answer('outside'), answer('never'))
    gate.resolve()
    expect(await inside).toEqual(['inside', 2])
    expect([await read(), server.listHandlers().length]).toEqual(['outside', 3])
  })

  test('resets to its initial handlers', async () => {
    server.use(answer('before'))
    await server.boundary(async () => {
      server.use(answer('inside'))
      expect(await read()).toBe('inside')
      server.resetHandlers()
      expect(await read()).toBe('before')
      server.resetHandlers(answer('replaced'))
      expect([await read(), server.listHandlers().length]).toEqual(['replaced', 1])
      server.resetHandlers()
      expect(await read()).toBe('replaced')
    })()
    expect(await read()).toBe('before')
    server.resetHandlers()
    expect(await read()).toBe('initial')
  })

  test('nests', async () => {
    await server.boundary(async () => {
      server.use(answer('outer'))
      await server.boundary(async () => {
        expect(await read()).toBe('outer')
        server.use(answer('inner'))
        expect(await read()).toBe('inner')
        server.resetHandlers()
        expect(await read()).toBe('outer')
        server.resetHandlers(answer('replaced'))
        expect(await read()).toBe('replaced')
      })()
      expect(await read()).toBe('outer')
    })()
    expect(await read()).toBe('initial')
  })

  test('applies in timers, ticks, events and promises that are created inside', async () => {
    const texts = await server.boundary(async () => {
      server.use(answer('inside'))
      const later = (schedule: (run: () => void) => unknown): Promise<string> =>
        new Promise((resolve) => schedule(() => resolve(read())))
      return Promise.all([
        later((run) => setTimeout(run, 2)),
        later((run) => setImmediate(run)),
        later((run) => process.nextTick(run)),
        later((run) => queueMicrotask(run)),
        later((run) => Promise.resolve().then(run)),
        later((run) => {
          const emitter = new EventTarget()
          emitter.addEventListener('x', run)
          setTimeout(() => emitter.dispatchEvent(new Event('x')), 2)
        }),
      ])
    })()
    expect(texts).toEqual(Array.from({ length: 6 }, () => 'inside'))
  })

  test('applies to work that continues after the call', async () => {
    const gate = Promise.withResolvers<void>()
    let later: Promise<string> | undefined
    server.boundary(() => {
      server.use(answer('inside'))
      later = gate.promise.then(read)
    })()
    expect(await read()).toBe('initial')
    gate.resolve()
    expect(await later).toBe('inside')
  })

  test('applies to clients with kept connections', async () => {
    const { Agent } = await import('node:http')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (): Promise<string> =>
      new Promise((resolve, reject) => {
        get(url, { agent }, (message) => resolve(text(message))).on('error', reject)
      })
    const inside = server.boundary(async (name: string) => {
      server.use(answer(name))
      await wait(1)
      return ask()
    })
    expect(await Promise.all([inside('a'), inside('b'), ask()])).toEqual(['a', 'b', 'initial'])
    expect(await ask()).toBe('initial')
    agent.destroy()
  })

  test('is that of the request while its handler runs', async () => {
    const other = 'http://api.test/other'
    server.use(http.get(other, async () => HttpResponse.text(await read())))
    const through = async (): Promise<string> => (await fetch(other)).text()
    const inside = server.boundary(async () => {
      server.use(answer('inside'))
      return through()
    })
    expect(await Promise.all([inside(), through()])).toEqual(['inside', 'initial'])
  })

  test('separates two servers', async () => {
    const other = setupServer(http.get('http://other.test/', () => HttpResponse.text('other')))
    other.listen({ onUnhandledRequest: 'bypass' })
    const readOther = async (): Promise<string> => (await fetch('http://other.test/')).text()
    await server.boundary(async () => {
      server.use(answer('inside'))
      other.use(http.get('http://other.test/', () => HttpResponse.text('everywhere')))
      await other.boundary(async () => {
        other.use(http.get('http://other.test/', () => HttpResponse.text('inner')))
        expect([await read(), await readOther()]).toEqual(['inside', 'inner'])
      })()
      expect([await read(), await readOther()]).toEqual(['inside', 'everywhere'])
    })()
    expect([await read(), await readOther()]).toEqual(['initial', 'everywhere'])
    other.close()
  })
})

describe('the state of handlers', () => {
  const readAll = async (): Promise<string[]> => [await read(), await read(), await read()]

  test.each<[name: string, create: () => Handler, expected: string[]]>([
    [
      'one that answers once',
      () => http.get(url, () => HttpResponse.text('once'), { once: true }),
      ['once', 'initial', 'initial'],
    ],
    [
      'one with a sequence of responses',
      () =>
        http.get(url, function* () {
          yield HttpResponse.text('1')
          yield HttpResponse.text('2')
          return HttpResponse.text('3')
        }),
      ['1', '2', '3'],
    ],
    [
      'one with a single response',
      () => rest.get(url, (_req, res, ctx) => res.once(ctx.text('once'))),
      ['once', 'initial', 'initial'],
    ],
  ])('%s does so in each boundary', async (_, create, expected) => {
    server.use(create())
    const inside = server.boundary(readAll)
    expect(await Promise.all([inside(), inside()])).toEqual([expected, expected])
    expect(await readAll()).toEqual(expected)
    expect(await inside()).not.toEqual(['once', 'initial', 'initial'])
  })

  test('a handler that was used up before is used up inside, and stays used up outside if it is restored inside', async () => {
    server.use(http.get(url, () => HttpResponse.text('once'), { once: true }))
    expect(await read()).toBe('once')
    await server.boundary(async () => {
      expect(await read()).toBe('initial')
      server.restoreHandlers()
      expect(await readAll()).toEqual(['once', 'initial', 'initial'])
    })()
    expect(await read()).toBe('initial')
  })
})

describe('a boundary of another server', () => {
  const other = setupServer()
  const once = (): Handler => http.get(url, () => HttpResponse.text('once'), { once: true })
  const inOther = other.boundary(read)

  test('keeps the state of handlers', async () => {
    server.use(once())
    expect([await read(), await inOther()]).toEqual(['once', 'initial'])
  })

  test('changes the state of handlers', async () => {
    server.use(once())
    expect([await inOther(), await read()]).toEqual(['once', 'initial'])
  })

  test('keeps the state of handlers of the boundary around it', async () => {
    server.use(once())
    const both = async (): Promise<string[]> => [await read(), await inOther(), await read()]
    expect(await server.boundary(both)()).toEqual(['once', 'initial', 'initial'])
    expect(await server.boundary(async () => [await inOther(), await read()])()).toEqual(['once', 'initial'])
    expect(await read()).toBe('once')
  })

  test('keeps the state of handlers that were added inside the boundary around it', async () => {
    const both = async (): Promise<string[]> => {
      server.use(once())
      return [await inOther(), await read()]
    }
    expect(await server.boundary(both)()).toEqual(['once', 'initial'])
  })
})
