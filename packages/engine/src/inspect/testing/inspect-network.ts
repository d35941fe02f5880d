import { afterEach, beforeEach, vi } from 'vitest'

import { handleRequest } from '../../core/network/handle-request.ts'
import { Network } from '../../core/network/network.ts'
import type { Outcome } from '../../core/network/outcome.ts'
import { setUnhandledReport } from '../../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy } from '../../core/unhandled/unhandled-request.ts'
import { HttpResponse, type Handler } from '../../index.ts'
import type { InspectedHandler } from '../inspect-handlers.ts'
import { inspect, type Inspection } from '../inspect.ts'

/** What `start` created for the current test. */
export interface Inspected {
  network: Network
  inspection: Inspection
}

export const inspected = {} as Inspected

setUnhandledReport(unhandledReport)

export const baseUrl = 'https://app.test/'

export const resolve = (): Response => HttpResponse.json({ name: 'Ada' })

/** Creates a network with handlers, and inspects it. */
export function start(handlers: readonly Handler[]): void {
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
  inspected.network = new Network(handlers, { baseUrl, unhandled })
  inspected.inspection = inspect({ '~network': inspected.network })
}

export async function ask(url: string, init?: RequestInit): Promise<Outcome> {
  return handleRequest(new Request(new URL(url, baseUrl), init), inspected.network)
}

export async function read(url: string, init?: RequestInit): Promise<string> {
  const outcome = await ask(url, init)
  return outcome.type === 'mocked' ? `${outcome.response.status} ${await outcome.response.text()}` : outcome.type
}

export const handlerAt = (index: number): InspectedHandler =>
  inspected.inspection.snapshot().handlers[index] as InspectedHandler

export const idAt = (index: number): number => handlerAt(index).id

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the message of the error that a function throws. */
export function toThrow(call: () => void): string {
  try {
    call()
    return ''
  } catch (error) {
    return String(error)
  }
}
