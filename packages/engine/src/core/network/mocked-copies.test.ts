import { describe, expect, test, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import type { Network } from './network.ts'
import { ask, create, url } from './testing/ask-network.ts'

async function responseOf(network: Network): Promise<Response> {
  const outcome = await ask(network)
  if (outcome.type !== 'mocked') throw new Error(outcome.type)
  return outcome.response
}

/** A stream that ends when its reader leaves, or after some chunks. */
function stream(left: () => void, chunks = Infinity): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      sent += 1
      controller.enqueue(new TextEncoder().encode(`${sent} `))
      if (sent === chunks) controller.close()
    },
    cancel: left,
  })
}

describe('a listener of response:mocked that does not read the response', () => {
  test('does not keep a client from cancelling a text', async () => {
    const network = create([http.get(url, () => HttpResponse.json({ name: 'Ada' }, { headers: { 'x-a': 'b' } }))])
    const heard = vi.fn<(response: Response) => void>()
    network.events.on('response:mocked', ({ response }) => heard(response))
    const response = await responseOf(network)
    await response.body?.cancel()
    const [copy] = heard.mock.calls[0] ?? []
    expect([copy?.url, copy?.status, copy?.headers.get('x-a'), await copy?.text()]).toEqual([
      url,
      200,
      'b',
      '{"name":"Ada"}',
    ])
  })

  test('does not keep a client from cancelling a stream, whose source ends', async () => {
    const left = vi.fn<() => void>()
    const finalized = vi.fn<() => void>()
    const network = create([
      http.get(url, ({ finalize }) => {
        finalize(finalized)
        return new HttpResponse(stream(left), { status: 201, headers: { 'x-a': 'b', 'set-cookie': 'a=1' } })
      }),
    ])
    network.events.on('response:mocked', () => {}).on('*', () => {})
    const response = await responseOf(network)
    expect([response.status, response.headers.get('x-a')]).toEqual([201, 'b'])
    const reader = response.body?.getReader()
    await reader?.read()
    expect(left).not.toHaveBeenCalled()
    await reader?.cancel()
    expect(left).toHaveBeenCalledOnce()
    expect(finalized).toHaveBeenCalledOnce()
  })
})

describe('a listener of response:mocked that reads the response', () => {
  test('gets all of it after the client has cancelled it', async () => {
    const network = create([http.get(url, () => new HttpResponse(stream(() => {}, 3)))])
    const texts: Promise<string>[] = []
    network.events.on('response:mocked', ({ response }) => texts.push(response.text()))
    const response = await responseOf(network)
    await response.body?.cancel()
    expect(await texts[0]).toBe('1 2 3 ')
  })

  test('gets all of it after the client has read it', async () => {
    const network = create([http.get(url, () => new HttpResponse(stream(() => {}, 3)))])
    const copies: Response[] = []
    network.events.on('response:mocked', ({ response }) => copies.push(response))
    expect(await (await responseOf(network)).text()).toBe('1 2 3 ')
    expect(await copies[0]?.text()).toBe('1 2 3 ')
  })
})
