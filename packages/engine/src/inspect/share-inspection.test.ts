import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { connectInspections } from './connect-inspections.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort, type InspectionPort } from './inspection-port.ts'
import type { RemoteInspection } from './remote-inspection.ts'
import { shareInspection } from './share-inspection.ts'
import { connect, ends, hello, openPage, openPort } from './testing/shared-inspections.ts'

/** Returns the types of all messages. */
function watchWire(): string[] {
  const types: string[] = []
  openPort().listen((message) => types.push((message as { type: string }).type))
  return types
}

describe('while no panel listens', () => {
  test('nothing is sent, and no body is kept', async () => {
    const { ask, inspection, shared } = openPage()
    const connection = connect()
    await expect.poll(() => connection.getNetworks().length).toBe(1)
    connection.close()
    await expect.poll(() => isWatched(shared.id)).toBe(false)
    const types = watchWire()
    await ask('/hello')
    expect(inspection.bodies(inspection.snapshot().requests[0]?.id ?? '').response).toBe(null)
    // Messages keep their order: an earlier message would have arrived before this one.
    openPort().send({ type: 'last' })
    await expect.poll(() => types).toEqual(['last'])
  })

  /** Whether the page reports changes. */
  async function isWatched(id: string): Promise<boolean> {
    const types = watchWire()
    openPort().send({ understudy: 'panel', type: 'command', network: id, call: 'x', command: { name: 'reset' } })
    await expect.poll(() => types).toContain('answer')
    return types.includes('state')
  }

  test('a panel that closes without a message is removed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const messages: unknown[] = []
    let receive: (message: unknown) => void = () => {}
    const port: InspectionPort = {
      send: (message) => messages.push(message),
      listen(listener) {
        receive = listener
        return () => {}
      },
    }
    const network = new Network([hello], { baseUrl: 'https://app.test/' })
    shareInspection(inspect({ '~network': network }), port)
    receive({ understudy: 'panel', type: 'watch', panel: 'a', network: null, whole: true })
    messages.length = 0
    network.layers.use([hello])
    vi.advanceTimersByTime(1000)
    expect(messages).toHaveLength(1)
    vi.advanceTimersByTime(160_000)
    network.layers.use([hello])
    vi.advanceTimersByTime(1000)
    expect(messages).toHaveLength(1)
  })

  test('a change in the pause after an update starts no timer, and is sent after the pause', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const states: unknown[] = []
    let receive: (message: unknown) => void = () => {}
    const port: InspectionPort = {
      send: (message) => states.push((message as { type: string }).type),
      listen(listener) {
        receive = listener
        return () => {}
      },
    }
    const network = new Network([hello], { baseUrl: 'https://app.test/' })
    ends(shareInspection(inspect({ '~network': network }), port), ({ stop }) => stop())
    receive({ understudy: 'panel', type: 'watch', panel: 'a', network: null, whole: true })
    states.length = 0
    network.layers.use([hello])
    vi.advanceTimersByTime(1)
    expect(states).toEqual(['state'])
    const timers = vi.getTimerCount()
    network.layers.use([hello])
    expect(vi.getTimerCount()).toBe(timers)
    vi.advanceTimersByTime(1000)
    expect(states).toEqual(['state', 'state'])
  })

  test('after an update with more requests than a person can read, the next one comes later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const states: number[] = []
    let receive: (message: unknown) => void = () => {}
    const port: InspectionPort = {
      send(message) {
        const { type, requests } = message as { type: string; requests: unknown[] }
        if (type === 'state') states.push(requests.length)
      },
      listen(listener) {
        receive = listener
        return () => {}
      },
    }
    const network = new Network([hello], { baseUrl: 'https://app.test/' })
    ends(shareInspection(inspect({ '~network': network }), port), ({ stop }) => stop())
    receive({ understudy: 'panel', type: 'watch', panel: 'a', network: null, whole: true })
    const ask = (count: number): Promise<unknown> =>
      Promise.all(Array.from({ length: count }, () => handleRequest(new Request('https://app.test/hello'), network)))
    states.length = 0
    await ask(2)
    vi.advanceTimersByTime(1)
    expect(states).toEqual([2])
    await ask(15)
    vi.advanceTimersByTime(200)
    expect(states).toEqual([2, 15])
    await ask(1)
    vi.advanceTimersByTime(140)
    expect(states).toEqual([2, 15])
    vi.advanceTimersByTime(120)
    expect(states).toEqual([2, 15, 1])
  })
})

test('a page that closes without a message is removed', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let receive: (message: unknown) => void = () => {}
  const connection = ends(
    connectInspections({
      send: () => {},
      listen(listener) {
        receive = listener
        return () => {}
      },
    }),
    ({ close }) => close(),
  )
  const info = { title: '', url: null, notices: [], labels: [] }
  const state = {
    type: 'state',
    network: 'a',
    revision: 1,
    whole: true,
    allHandlers: true,
    handlers: [],
    requests: [],
    connections: [],
    info,
  }
  receive({ understudy: 'network', ...state })
  for (let beat = 0; beat < 10; beat += 1) {
    vi.advanceTimersByTime(20_000)
    receive({ understudy: 'network', type: 'here', network: 'a' })
  }
  expect(connection.getNetworks()).toHaveLength(1)
  vi.advanceTimersByTime(100_000)
  expect(connection.getNetworks()).toHaveLength(0)
})

test('a port may be a MessagePort', async () => {
  const { port1, port2 } = ends(new MessageChannel(), ({ port1: one }) => one.close())
  const network = new Network([hello], { baseUrl: 'https://app.test/' })
  const shared = shareInspection(inspect({ '~network': network }), toInspectionPort(port1))
  const connection = ends(connectInspections(toInspectionPort(port2)), ({ close }) => close())
  await expect.poll(() => connection.getNetworks().map(({ id }) => id)).toEqual([shared.id])
  shared.stop()
})

test('an inspection accepts any message, and still answers', async () => {
  const { inspection, ask } = openPage()
  let listener: (message: unknown) => void = () => {}
  const sent: unknown[] = []
  const port: InspectionPort = {
    send: (message) => sent.push(message),
    listen(heard) {
      listener = heard
      return () => {}
    },
  }
  ends(shareInspection(inspection, port, { id: 'fuzzed' }), ({ stop }) => stop())
  const text = fc.oneof(fc.constantFrom('fuzzed', '__proto__', 'constructor', ''), fc.string())
  const command = fc.oneof(
    fc.record({ name: fc.constant('setEnabled'), id: fc.oneof(fc.constant(1), fc.double()), enabled: fc.boolean() }),
    fc.record({
      name: fc.constant('override'),
      id: fc.oneof(fc.constant(1), fc.double()),
      override: fc.oneof(
        fc.constant(null),
        fc.record(
          { status: fc.oneof(fc.integer(), fc.double()), delay: fc.double(), networkError: fc.boolean() },
          { requiredKeys: [] },
        ),
      ),
    }),
    fc.record({ name: fc.constant('reset') }),
    fc.record({ name: fc.constant('details'), requestId: text }),
    fc.anything(),
  )
  const message = fc.oneof(
    fc.record({
      type: fc.constant('watch'),
      panel: text,
      network: fc.oneof(fc.constant(null), text),
      whole: fc.boolean(),
    }),
    fc.record({ type: fc.constant('leave'), panel: text }),
    fc.record({ type: fc.constant('command'), network: fc.constant('fuzzed'), call: text, command }),
    fc.anything(),
  )
  fc.assert(
    fc.property(message, (data) => {
      listener(typeof data === 'object' && data !== null ? { ...data, understudy: 'panel' } : data)
    }),
    { numRuns: 1000 },
  )
  // Every override is valid for a handler.
  for (const { override } of inspection.snapshot().handlers) {
    expect(override?.status ?? 200).toSatisfy(
      (status: number) => Number.isInteger(status) && status >= 200 && status < 600,
    )
    expect(override?.delay ?? 0).toBeGreaterThanOrEqual(0)
  }
  listener({ understudy: 'panel', type: 'command', network: 'fuzzed', call: 'last', command: { name: 'reset' } })
  expect(sent.at(-1)).toMatchObject({ type: 'answer', call: 'last', error: null })
  await ask('/hello')
  expect(inspection.snapshot().requests).toHaveLength(1)
})

test('a recording starts and ends by command, and ends when the last panel leaves', async () => {
  const { inspection, ask } = openPage()
  const connection = connect()
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  const other = connect()
  const remote = connection.getNetworks()[0] as RemoteInspection
  await remote.record('all')
  expect(remote.getState().recording).toBe('all')
  await ask('/hello')
  await expect.poll(() => remote.getState().requests[0]).toMatchObject({ outcome: 'passthrough', isRecorded: true })
  await remote.record(null)
  expect(remote.getState()).not.toHaveProperty('recording')
  await remote.record('unmatched')
  await expect.poll(() => other.getNetworks()[0]?.getState().recording).toBe('unmatched')
  connection.close()
  await other.getNetworks()[0]?.details('none')
  expect(inspection.snapshot().recording).toBe('unmatched')
  other.close()
  await expect.poll(() => inspection.snapshot().recording).toBe(undefined)
})
