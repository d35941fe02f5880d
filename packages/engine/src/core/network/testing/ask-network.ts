import { afterEach, beforeEach, vi } from 'vitest'

import type { Handler } from '../../handlers/request-handler.ts'
import { readUnhandledPolicy, type UnhandledRequestOption } from '../../unhandled/unhandled-request.ts'
import { handleRequest } from '../handle-request.ts'
import { Network } from '../network.ts'
import type { Outcome } from '../outcome.ts'

export const url = 'https://app.test/user'

export function create(handlers: Handler[], onUnhandledRequest: UnhandledRequestOption = 'bypass'): Network {
  return new Network(handlers, { unhandled: readUnhandledPolicy({ onUnhandledRequest }) })
}

export function ask(network: Network, init?: RequestInit): Promise<Outcome> {
  return handleRequest(new Request(url, init), network)
}

/** Returns the text of a mocked response, or the name of another outcome. */
export async function read(asked: Outcome | Promise<Outcome>): Promise<string> {
  const outcome = await asked
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
})
