import { afterEach, beforeEach, vi } from 'vitest'

import { handleRequest } from '../../network/handle-request.ts'
import { Network } from '../../network/network.ts'
import { HttpResponse } from '../../responses/http-response.ts'
import { readUnhandledPolicy } from '../../unhandled/unhandled-request.ts'
import type { Handler } from '../request-handler.ts'

export const url = 'https://app.test/user'

export function create(...handlers: Handler[]): Network {
  return new Network(handlers, { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass' }) })
}

/** Returns the mocked response, or undefined. */
export async function ask(network: Network, init?: RequestInit): Promise<Response | undefined> {
  const outcome = await handleRequest(new Request(url, init), network)
  return outcome.type === 'mocked' ? outcome.response : undefined
}

/** Returns the text of the response, or the name of another outcome. */
export async function read(network: Network): Promise<string> {
  const outcome = await handleRequest(new Request(url), network)
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

export async function readTimes(network: Network, times: number): Promise<string[]> {
  const texts: string[] = []
  for (let count = 0; count < times; count += 1) texts.push(await read(network))
  return texts
}

export const text = (body: string): Response => HttpResponse.text(body)

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
})
