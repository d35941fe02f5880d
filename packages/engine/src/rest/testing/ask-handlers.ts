import { afterEach, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { getResponse } from '../../core/network/get-response.ts'
import { Network } from '../../core/network/network.ts'

export const baseUrl = 'https://example.com'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the response of handlers to a request. */
export async function ask(
  handlers: Handler | readonly Handler[],
  input: string,
  init?: RequestInit,
): Promise<Response> {
  const list = Array.isArray(handlers) ? (handlers as readonly Handler[]) : [handlers as Handler]
  const response = await getResponse(list, new Request(new URL(input, baseUrl), init), { baseUrl })
  if (!response) throw new Error(`No handler answered ${input}.`)
  return response
}

export function createNetwork(handlers: readonly Handler[]): Network {
  return new Network(handlers, { baseUrl })
}

export function post(body: BodyInit, type?: string): RequestInit {
  return { method: 'POST', body, ...(type && { headers: { 'Content-Type': type } }) }
}
