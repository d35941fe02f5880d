import { describe, expect, it } from 'vitest'

import { delay, http, HttpResponse, type Handler } from '../index.ts'
import { setupServer } from './setup-server.ts'
import { api, askNode, running, listen } from './testing/listen.ts'

describe('listen and close', () => {
  const mocked = http.get('*/user', () => HttpResponse.text('mocked'))

  async function read(): Promise<string> {
    const response = await fetch(`${running.origin}/user`)
    const node = await askNode(`${running.origin}/user`)
    const bodies = [await response.text(), node.body].map((body) => (body === 'mocked' ? body : 'real'))
    return bodies.join()
  }

  it('begin and end it, any number of times', async () => {
    running.server = setupServer(mocked)
    const { fetch: before } = globalThis
    expect(await read()).toBe('real,real')
    running.server.listen()
    expect(await read()).toBe('mocked,mocked')
    running.server.close()
    expect(globalThis.fetch).toBe(before)
    expect(await read()).toBe('real,real')
    running.server.close()
    running.server.listen()
    expect(await read()).toBe('mocked,mocked')
  })

  it('change readyState', () => {
    running.server = setupServer(mocked)
    expect(running.server.readyState).toBe(0)
    running.server.listen()
    expect(running.server.readyState).toBe(1)
    running.server.close()
    expect(running.server.readyState).toBe(0)
  })

  it('again changes only the options', async () => {
    listen([mocked])
    running.server.listen({ onUnhandledRequest: 'error' })
    expect(await read()).toBe('mocked,mocked')
    await expect(fetch(`${running.origin}/other`)).rejects.toBeInstanceOf(TypeError)
    running.server.close()
    expect(await read()).toBe('real,real')
  })

  it('let two servers answer side by side', async () => {
    const other = setupServer(http.get(`${api}/other`, () => HttpResponse.text('other')))
    listen([http.get(`${api}/user`, () => HttpResponse.text('user'))])
    other.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${api}/user`)).text()).toBe('user')
    expect(await (await fetch(`${api}/other`)).text()).toBe('other')
    other.close()
    expect(await (await fetch(`${api}/user`)).text()).toBe('user')
  })

  it('refuse a strategy that does not exist', () => {
    running.server = setupServer(mocked)
    expect(() => running.server.listen({ onUnhandledRequest: 'ignore' as never })).toThrow(
      'Failed to read the option "onUnhandledRequest": "ignore" is not a valid strategy. Use "bypass", "warn", "error" or a function.',
    )
  })
})

describe('handlers', () => {
  const named = (name: string): Handler => http.get(`${api}/user`, () => HttpResponse.text(name))
  const read = async (): Promise<string> => (await fetch(`${api}/user`)).text()

  it('are added, removed and replaced', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(named) as [Handler, Handler, Handler, Handler]
    listen([a])
    running.server.use(b, c)
    expect([await read(), running.server.listHandlers()]).toEqual(['b', [b, c, a]])
    running.server.use(d)
    expect(await read()).toBe('d')
    running.server.resetHandlers()
    expect([await read(), running.server.listHandlers()]).toEqual(['a', [a]])
    running.server.use(d)
    running.server.resetHandlers(b, c)
    expect([await read(), running.server.listHandlers()]).toEqual(['b', [b, c]])
    running.server.resetHandlers()
    expect(await read()).toBe('b')
  })

  it('that answer once answer again after they are restored', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.text('once'), { once: true }), named('then')])
    expect([await read(), await read()]).toEqual(['once', 'then'])
    running.server.restoreHandlers()
    expect([await read(), await read()]).toEqual(['once', 'then'])
  })

  it('are listed as a copy', () => {
    running.server = setupServer(named('a'))
    expect(() => (running.server.listHandlers() as Handler[]).push(named('b'))).toThrow(TypeError)
  })

  it('are accepted one by one, as arrays, as named groups, or not at all', () => {
    const [a, b, c] = [named('a'), named('b'), named('c')]
    for (const inputs of [[a, b, c], [[a, b, c]], [{ first: [a, b], last: c }], [a, [b], { c }]] as const) {
      expect(setupServer(...inputs).listHandlers()).toEqual([a, b, c])
    }
    for (const inputs of [[], [[]], [{}], [{ none: [] }]] as const) {
      expect(setupServer(...inputs).listHandlers()).toEqual([])
    }
    running.server = setupServer()
  })

  it('that are invalid are refused, with a message that says what to do', () => {
    const handlers = [named('a')]
    running.server = setupServer()
    const array = 'argument 1 is an array. Spread it, with three dots: (...handlers).'
    expect(() => setupServer([handlers] as never)).toThrow(
      'Failed to set up a server: item 1 of argument 1 is an array.',
    )
    expect(() => running.server.use(handlers as never)).toThrow(`Failed to add handlers: ${array}`)
    expect(() => running.server.resetHandlers(handlers as never)).toThrow(`Failed to reset handlers: ${array}`)
    expect(() => setupServer(named('a'), undefined as never)).toThrow(
      'Failed to set up a server: argument 2 is undefined.',
    )
  })
})

describe('boundary', () => {
  it('keeps handlers inside', async () => {
    listen([http.get(`${api}/user`, () => HttpResponse.text('outside'))])
    const read = async (): Promise<string> => (await fetch(`${api}/user`)).text()
    const inside = running.server.boundary(async (name: string) => {
      running.server.use(http.get(`${api}/user`, () => HttpResponse.text(name)))
      await delay(5)
      const texts = [await read(), (await askNode(`${api}/user`)).body]
      running.server.resetHandlers()
      return [...texts, await read()]
    })
    const [a, b, outside] = await Promise.all([inside('a'), inside('b'), read()])
    expect([a, b, outside]).toEqual([['a', 'a', 'outside'], ['b', 'b', 'outside'], 'outside'])
    expect(await read()).toBe('outside')
  })
})
