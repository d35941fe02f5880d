import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import type { Outcome } from '../network/outcome.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { setUnhandledReport } from './set-unhandled-report.ts'
import * as unhandledReport from './unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from './unhandled-request.ts'

setUnhandledReport(unhandledReport)

const url = 'https://api.test/user/5?full'
const missed = expect.stringMatching(
  /^\[understudy\] No handler matches GET https:\/\/api\.test\/user\/5\?full \(US0201\)\n/,
) as string

function ask(options: UnhandledOptions, request: Request = new Request(url)): Promise<Outcome> {
  const handlers = [http.get('https://api.test/users', () => HttpResponse.json([]))]
  return handleRequest(request, new Network(handlers, { unhandled: readUnhandledPolicy(options) }), 'id-1')
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

function printed(): { warnings: number; errors: number } {
  return { warnings: vi.mocked(console.warn).mock.calls.length, errors: vi.mocked(console.error).mock.calls.length }
}

describe.each(['onUnhandledRequest', 'onUnhandledFrame'] as const)('%s', (name) => {
  it("'bypass' lets the request pass in silence", async () => {
    expect(await ask({ [name]: 'bypass' })).toMatchObject({ type: 'unhandled' })
    expect(printed()).toEqual({ warnings: 0, errors: 0 })
  })

  it("'warn' lets it pass with a warning", async () => {
    expect(await ask({ [name]: 'warn' })).toMatchObject({ type: 'unhandled' })
    expect(console.warn).toHaveBeenCalledExactlyOnceWith(missed)
    expect(printed()).toEqual({ warnings: 1, errors: 0 })
  })

  it("'error' fails it with an error", async () => {
    expect(await ask({ [name]: 'error' })).toMatchObject({
      type: 'network-error',
      error: {
        message: `Failed to answer GET ${url}: no handler matches it and "onUnhandledRequest" is "error". Add a handler for it. (US0202)`,
      },
    })
    expect(console.error).toHaveBeenCalledExactlyOnceWith(missed)
    expect(printed()).toEqual({ warnings: 0, errors: 1 })
  })

  it.each(['warn', 'error'] as const)("'%s' reports no common assets", async (strategy) => {
    const asset = new Request('https://app.test/main.css')
    expect(await ask({ [name]: strategy }, asset)).toMatchObject({ type: 'unhandled' })
    expect(printed()).toEqual({ warnings: 0, errors: 0 })
  })

  it.each<[strategy: never, shown: string]>([
    ['ignore' as never, '"ignore"'],
    ['' as never, '""'],
    [true as never, 'true'],
  ])('%o is refused', (strategy, shown) => {
    expect(() => readUnhandledPolicy({ [name]: strategy })).toThrow(
      `Failed to read the option "${name}": ${shown} is not a valid strategy. Use "bypass", "warn", "error" or a function.`,
    )
  })
})

describe('the option', () => {
  it("is 'warn' by default", async () => {
    await ask({})
    expect(printed()).toEqual({ warnings: 1, errors: 0 })
  })

  it('is onUnhandledRequest if both are given', async () => {
    await ask({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'warn' })
    expect(printed()).toEqual({ warnings: 0, errors: 0 })
  })
})

describe('a function as onUnhandledRequest', () => {
  it('gets the request, and can read its body', async () => {
    const bodies: string[] = []
    const request = new Request(url, { method: 'POST', body: 'text' })
    const performed = request.clone()
    const onUnhandledRequest = async (missing: Request): Promise<void> => {
      bodies.push(`${missing.method} ${missing.url} ${await missing.text()}`)
    }
    expect(await ask({ onUnhandledRequest }, request)).toMatchObject({ type: 'unhandled' })
    expect(bodies).toEqual([`POST ${url} text`])
    expect(await performed.text()).toBe('text')
    expect(printed()).toEqual({ warnings: 0, errors: 0 })
  })

  it('prints what the strategies print, and lets the request pass', async () => {
    const outcome = await ask({
      onUnhandledRequest(_request, print) {
        print.warning()
        print.error()
      },
    })
    expect(outcome).toMatchObject({ type: 'unhandled' })
    expect(console.warn).toHaveBeenCalledExactlyOnceWith(missed)
    expect(console.error).toHaveBeenCalledExactlyOnceWith(missed)
  })

  it('gets assets, too', async () => {
    const callback = vi.fn<(request: Request) => void>()
    await ask({ onUnhandledRequest: callback }, new Request('https://app.test/main.css'))
    expect(callback).toHaveBeenCalledOnce()
  })

  it.each<[name: string, callback: () => void | Promise<void>]>([
    [
      'at once',
      () => {
        throw new Error('not this one')
      },
    ],
    ['later', () => Promise.reject(new Error('not this one'))],
  ])('fails the request by throwing %s', async (_name, onUnhandledRequest) => {
    expect(await ask({ onUnhandledRequest })).toEqual({
      type: 'network-error',
      error: new Error('not this one'),
      isUnhandled: true,
    })
  })
})

describe('a function as onUnhandledFrame', () => {
  it('gets the request as a frame, and prints with its defaults', async () => {
    const request = new Request(url)
    const callback = vi.fn<NonNullable<Extract<UnhandledOptions['onUnhandledFrame'], Function>>>(({ defaults }) => {
      defaults.warn()
      defaults.error()
    })
    expect(await ask({ onUnhandledFrame: callback }, request)).toMatchObject({ type: 'unhandled' })
    expect(callback.mock.calls[0]?.[0].frame).toMatchObject({
      protocol: 'http',
      data: { id: 'id-1', request: { url } },
    })
    expect(printed()).toEqual({ warnings: 1, errors: 1 })
  })

  it('fails the request by throwing', async () => {
    const onUnhandledFrame = (): Promise<never> => Promise.reject(new Error('not this one'))
    expect(await ask({ onUnhandledFrame })).toMatchObject({ type: 'network-error' })
  })
})

describe('what is printed', () => {
  it.each<[method: string, path: string, handler: string]>([
    ['GET', '/user', "http.get('https://api.test/user', () => HttpResponse.json({})),"],
    ['DELETE', '/user?id=5', "http.delete('https://api.test/user', () => HttpResponse.json({})),"],
    ['PROPFIND', '/user', "http.all('https://api.test/user', () => HttpResponse.json({})),"],
    ['GET', '/user/5/post/6', "http.get('https://api.test/user/:id/post/:id2', () => HttpResponse.json({})),"],
    ['GET', "/o'neill", String.raw`http.get('https://api.test/o\'neill', () => HttpResponse.json({})),`],
    ['GET', '/users:batch', String.raw`http.get('https://api.test/users\\:batch', () => HttpResponse.json({})),`],
    ['GET', '/users(5)', String.raw`http.get('https://api.test/users\\(5\\)', () => HttpResponse.json({})),`],
  ])('for %s %s shows a handler that would match', async (method, path, handler) => {
    const request = new Request(`https://api.test${path}`, { method })
    await ask({ onUnhandledRequest: 'warn' }, request)
    const [text] = vi.mocked(console.warn).mock.calls[0] as [string]
    expect(text.split('\n').at(-1)?.trim()).toBe(handler)
    const [, name = '', literal = ''] = /^http\.(\w+)\('(.*)',/.exec(handler) ?? []
    const suggested = http[name as 'get'](literal.replace(/\\(.)/g, '$1'), () => HttpResponse.json({}))
    const network = new Network([suggested])
    expect(await handleRequest(request, network)).toMatchObject({ type: 'mocked' })
  })
})
