import { afterEach, vi } from 'vitest'

import { handleRequest } from '../../core/network/handle-request.ts'
import { Network } from '../../core/network/network.ts'
import { readUnhandledPolicy } from '../../core/unhandled/unhandled-request.ts'
import { http, HttpResponse, type Handler } from '../../index.ts'
import { connectInspections, type InspectionConnection } from '../connect-inspections.ts'
import { inspect, type Inspection } from '../inspect.ts'
import { toInspectionPort, type InspectionPort } from '../inspection-port.ts'
import { shareInspection, type SharedInspection, type ShareOptions } from '../share-inspection.ts'

const channelName = `remote-test-${crypto.getRandomValues(new Uint32Array(2)).join()}`

export const hello = http.get('/hello', () => HttpResponse.json({ hello: true }, { headers: { 'x-from': 'mock' } }))

const endings: (() => void)[] = []

export const ends = <Value>(value: Value, end: (value: Value) => void): Value => {
  endings.push(() => end(value))
  return value
}

/** One end of the connection. Tests can read and fake its messages. */
export const openPort = (): InspectionPort => toInspectionPort(openChannel())

const openChannel = (): BroadcastChannel => ends(new BroadcastChannel(channelName), (channel) => channel.close())

afterEach(() => {
  vi.useRealTimers()
  for (const end of endings.splice(0).toReversed()) end()
})

export interface Page {
  readonly network: Network
  readonly inspection: Inspection
  readonly shared: SharedInspection
  ask(path: string, init?: RequestInit): Promise<void>
}

export function openPage(handlers: readonly Handler[] = [hello], options?: ShareOptions): Page {
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
  const network = new Network(handlers, { baseUrl: 'https://app.test/', unhandled })
  const inspection = inspect({ '~network': network })
  const shared = ends(shareInspection(inspection, openPort(), options), ({ stop }) => stop())
  const ask = async (path: string, init?: RequestInit): Promise<void> => {
    const outcome = await handleRequest(new Request(new URL(path, 'https://app.test/'), init), network)
    if (outcome.type === 'mocked') await outcome.response.text()
  }
  return { network, inspection, shared, ask }
}

export const connect = (): InspectionConnection => ends(connectInspections(openPort()), ({ close }) => close())
