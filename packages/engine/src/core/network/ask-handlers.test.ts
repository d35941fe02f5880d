import { expect, it } from 'vitest'

import { http } from '../../http/http.ts'
import type { ResolverInfo } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { getResponse } from './get-response.ts'

const url = 'https://api.test/user'

async function infosOf(requests: readonly Request[]): Promise<ResolverInfo<unknown>[]> {
  const infos: ResolverInfo<unknown>[] = []
  const handlers = [
    http.all(url, (info) => {
      infos.push(info)
      return HttpResponse.json({})
    }),
  ]
  for (const request of requests) await getResponse(handlers, request)
  return infos
}

it('shares the getters of resolver arguments, because V8 keeps a getter until a full garbage collection', async () => {
  const [first, second] = await infosOf([new Request(url), new Request(url)])

  for (const name of ['request', 'cookies'] as const) {
    const getter = first && Object.getOwnPropertyDescriptor(first, name)?.get
    expect(getter).toBeTypeOf('function')
    expect(second && Object.getOwnPropertyDescriptor(second, name)?.get).toBe(getter)
  }
})

it('gives the same request and cookies at each read, also to a spread copy', async () => {
  const [info] = await infosOf([new Request(url, { method: 'POST', body: 'Ada', headers: { cookie: 'id=5' } })])
  if (!info) throw new Error('The resolver did not run.')
  const copy = { ...info }

  expect(copy.request).toBe(info.request)
  expect(copy.cookies).toBe(info.cookies)
  expect(Object.keys(copy).sort()).toEqual(['cookies', 'finalize', 'params', 'request', 'requestId', 'url'])
  expect(await copy.request.text()).toBe('Ada')
})

it('answers two concurrent calls of getResponse with separate cookies', async () => {
  const seen: string[] = []
  const handlers = [
    http.get(`${url}/set`, () => new HttpResponse(null, { headers: { 'Set-Cookie': 'id=5; Path=/' } })),
    http.get(url, async ({ cookies }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      seen.push(JSON.stringify(cookies))
      return HttpResponse.json({})
    }),
  ]
  await Promise.all([getResponse(handlers, new Request(url)), getResponse(handlers, new Request(`${url}/set`))])
  await getResponse(handlers, new Request(`${url}/set`))
  await getResponse(handlers, new Request(url))

  expect(seen).toEqual(['{}', '{}'])
})
