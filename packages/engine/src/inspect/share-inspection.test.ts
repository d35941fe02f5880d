import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { readUnhandledPolicy } from '../core/unhandled/unhandled-request.ts'
import { http, HttpResponse, type Handler } from '../index.ts'
import { connectInspections, type InspectionConnection, type RemoteInspection } from './connect-inspections.ts'
import { inspect, type Inspection } from './inspect.ts'
import { toInspectionPort, type InspectionPort } from './inspection-port.ts'
import { shareInspection, type SharedInspection, type ShareOptions } from './share-inspection.ts'

const channelName = `remote-test-${crypto.getRandomValues(new Uint32Array(2)).join()}`
const hello = http.get('/hello', () => HttpResponse.json({ hello: true }, { headers: { 'x-from': 'mock' } }))

const endings: (() => void)[] = []
const ends = <Value>(value: Value, end: (value: Value) => void): Value => {
  endings.push(() => end(value))
  return value
}

/** One end of the connection. Tests can read and fake its messages. */
const openPort = (): InspectionPort => toInspectionPort(openChannel())
const openChannel = (): BroadcastChannel => ends(new BroadcastChannel(channelName), (channel) => channel.close())

afterEach(() => {
  vi.useRealTimers()
  for (const end of endings.splice(0).toReversed()) end()
})

interface Page {
  readonly network: Network
  readonly inspection: Inspection
  readonly shared: SharedInspection
  ask(path: string, init?: RequestInit): Promise<void>
}

function openPage(handlers: readonly Handler[] = [hello], options?: ShareOptions): Page {
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

const connect = (): InspectionConnection => ends(connectInspections(openPort()), ({ close }) => close())

async function connectToOne(): Promise<RemoteInspection> {
  const connection = connect()
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  return connection.getNetworks()[0] as RemoteInspection
}

const urls = (remote: RemoteInspection): string[] =>
  remote.getState().requests.map(({ url }) => url.replace('https://app.test', ''))

/** Returns the types of all messages. */
function watchWire(): string[] {
  const types: string[] = []
  openPort().listen((message) => types.push((message as { type: string }).type))
  return types
}

describe('a panel', () => {
  test('sees requests from before it connected', async () => {
    const { ask, inspection } = openPage()
    await ask('/hello')
    const remote = await connectToOne()
    const { info, ...snapshot } = remote.getState()
    expect(snapshot).toEqual(inspection.snapshot())
    expect(info).toEqual({ title: '', url: null, notices: [], labels: [] })
  })

  test('reads, writes and resets the state, and gets the errors of its functions', async () => {
    const { network } = openPage()
    let users: unknown = ['Ada']
    const write = (value: unknown): void => void (users = value)
    network.states = new Map([['module', { users: { read: () => users, write, reset: () => write([]) } }]])
    const remote = await connectToOne()
    expect(remote.getState().state).toEqual([{ name: 'users', canWrite: true, canReset: true }])
    expect(JSON.parse(await remote.readState('users'))).toEqual(['Ada'])
    await remote.writeState('users', '["Grace"]')
    expect(users).toEqual(['Grace'])
    await remote.resetState('users')
    expect(users).toEqual([])
    await expect(remote.readState('plays')).rejects.toMatchObject({ code: 'US0880' })
  })

  test('gets only the handlers that changed, and all of them if there are others', async () => {
    const others = Array.from({ length: 20 }, (_, index) => http.get(`/other/${index}`, () => HttpResponse.json({})))
    const { ask, network, inspection } = openPage([hello, ...others])
    const remote = await connectToOne()
    const sent: (number | undefined)[] = []
    openPort().listen((data) => {
      const { type, handlers, info } = data as { type: string; handlers?: unknown[]; info?: unknown }
      if (type === 'state') sent.push(info === undefined ? handlers?.length : undefined)
    })
    const [, second] = remote.getState().handlers
    await ask('/hello')
    await expect.poll(() => remote.getState().handlers[0]?.hits).toBe(1)
    expect(sent).not.toContain(21)
    // Unchanged data stays the same object, so that panels do not have to render it again.
    expect(remote.getState().handlers[1]).toBe(second)
    await remote.override(second?.id ?? 0, { status: 500 })
    expect(remote.getState().handlers[1]?.override).toEqual({ status: 500 })
    await remote.override(second?.id ?? 0, { status: 418 })
    expect(remote.getState().handlers[1]?.override).toEqual({ status: 418 })
    expect(Math.max(...sent.map((count) => count ?? Infinity))).toBeLessThanOrEqual(1)
    network.layers.use([http.get('/more', () => {})])
    await expect.poll(() => remote.getState().handlers.length).toBe(22)
    network.layers.replaceInitial(others.slice(1))
    await expect.poll(() => remote.getState().handlers.map(({ header }) => header)).toHaveLength(20)
    expect(remote.getState().handlers).toEqual(inspection.snapshot().handlers)
  })

  test('sees the effect of a command when the command resolves, also directly after another one', async () => {
    openPage()
    const remote = await connectToOne()
    const [handler] = remote.getState().handlers
    for (const enabled of [false, true, false]) {
      await remote.setEnabled(handler?.id ?? 0, enabled)
      expect(remote.getState().handlers).toMatchObject([{ enabled }])
    }
  })

  test('sees later requests, each once', async () => {
    const { ask } = openPage()
    const remote = await connectToOne()
    for (const path of ['/hello?1', '/hello?2', '/hello?3']) await ask(path)
    await expect.poll(() => urls(remote)).toEqual(['/hello?3', '/hello?2', '/hello?1'])
    await ask('/hello?4')
    await expect.poll(() => urls(remote)).toEqual(['/hello?4', '/hello?3', '/hello?2', '/hello?1'])
    expect(remote.getState().handlers[0]?.hits).toBe(4)
  })

  test('gets only changes', async () => {
    const { ask } = openPage()
    const remote = await connectToOne()
    await ask('/hello?1')
    await expect.poll(() => urls(remote)).toHaveLength(1)
    const sizes: number[] = []
    openPort().listen((message) => {
      const { type, requests } = message as { type: string; requests: unknown[] }
      if (type === 'state') sizes.push(requests.length)
    })
    await ask('/hello?2')
    await expect.poll(() => urls(remote)).toHaveLength(2)
    expect(sizes).toEqual([1])
  })

  test('that was opened before the page sees the page open and close', async () => {
    const connection = connect()
    const told = vi.fn<() => void>()
    connection.subscribe(told)
    const { shared } = openPage()
    await expect.poll(() => connection.getNetworks().map(({ id }) => id)).toEqual([shared.id])
    shared.stop()
    await expect.poll(() => connection.getNetworks()).toEqual([])
    expect(told).toHaveBeenCalledTimes(2)
  })

  test('sees the page’s description and its changes', async () => {
    let notices = ['Mocking is off.']
    const describePage = () => ({
      title: 'Box office',
      url: 'https://app.test/',
      notices,
      labels: [{ id: 1, layer: 'story', group: 'auth' }],
    })
    const { shared } = openPage([hello], { describe: describePage })
    const remote = await connectToOne()
    expect(remote.getState().info).toEqual(describePage())
    notices = []
    shared.update()
    await expect.poll(() => remote.getState().info.notices).toEqual([])
  })

  test('distinguishes pages, and controls one of them', async () => {
    const [first, second] = [openPage(), openPage()]
    const connection = connect()
    await expect.poll(() => connection.getNetworks().length).toBe(2)
    const [, remote] = connection.getNetworks()
    const page = remote?.id === first.shared.id ? first : second
    const other = page === first ? second : first
    const id = remote?.getState().handlers[0]?.id ?? -1
    await remote?.setEnabled(id, false)
    expect(page.inspection.snapshot().handlers[0]?.enabled).toBe(false)
    expect(other.inspection.snapshot().handlers[0]?.enabled).toBe(true)
  })

  test('overrides and resets', async () => {
    const { inspection, ask } = openPage()
    const remote = await connectToOne()
    const id = remote.getState().handlers[0]?.id ?? -1
    await remote.override(id, { status: 503, delay: 1 })
    expect(inspection.snapshot().handlers[0]?.override).toEqual({ status: 503, delay: 1 })
    await ask('/hello')
    await expect.poll(() => remote.getState().requests[0]?.status).toBe(503)
    await remote.override(id, null)
    await expect.poll(() => remote.getState().handlers[0]?.override).toBe(null)
    await remote.reset()
    await expect.poll(() => remote.getState()).toMatchObject({ requests: [], handlers: [{ hits: 0 }] })
    await ask('/hello?after')
    await expect.poll(() => urls(remote)).toEqual(['/hello?after'])
  })

  test('gets the reason why a command is refused', async () => {
    openPage()
    const remote = await connectToOne()
    await expect(remote.setEnabled(99, true)).rejects.toThrow('there is no handler with the id 99')
    const id = remote.getState().handlers[0]?.id ?? -1
    await expect(remote.override(id, { status: 99 })).rejects.toThrow('99 is not a valid status')
  })

  test('reads headers and bodies', async () => {
    const { ask } = openPage()
    const remote = await connectToOne()
    await ask('/hello', { headers: { 'x-asked': 'yes' } })
    await expect.poll(() => urls(remote)).toHaveLength(1)
    const { headers, bodies } = await remote.details(remote.getState().requests[0]?.id ?? '')
    expect(headers?.request).toContainEqual(['x-asked', 'yes'])
    expect(headers?.response).toContainEqual(['x-from', 'mock'])
    expect(bodies).toMatchObject({ request: null, response: { text: '{"hello":true}', isComplete: true } })
    expect(await remote.details('unknown')).toEqual({
      headers: null,
      bodies: { request: null, response: null },
      frames: [],
    })
  })

  test('searches headers and bodies of requests', async () => {
    const { ask } = openPage()
    const remote = await connectToOne()
    await ask('/hello', { method: 'GET', headers: { 'x-trace': 'zebra' } })
    await expect.poll(() => urls(remote)).toHaveLength(1)
    const id = remote.getState().requests[0]?.id ?? ''
    await expect
      .poll(async () => (await remote.search([id, 'unknown'], ['ZEBRA', '"hello":', 'mock', 'absent'])) as unknown)
      .toEqual([
        {
          id,
          isFinal: true,
          matches: [
            { word: 'ZEBRA', place: 'request headers', before: 'x-trace: ', found: 'zebra', after: '' },
            { word: '"hello":', place: 'response body', before: '{', found: '"hello":', after: 'true}' },
            { word: 'mock', place: 'response headers', before: 'x-from: ', found: 'mock', after: '' },
          ],
        },
        { id: 'unknown', isFinal: true, matches: [] },
      ])
  })

  test('does not wait for a page that closes', async () => {
    const { shared } = openPage()
    const remote = await connectToOne()
    shared.stop()
    await expect(remote.reset()).rejects.toThrow('Failed to control a network: it no longer exists.')
    await expect(remote.reset()).rejects.toThrow('Failed to control a network: it no longer exists.')
  })

  test('that missed a message asks for everything', async () => {
    const { ask, shared } = openPage()
    const remote = await connectToOne()
    await ask('/hello?1')
    await expect.poll(() => urls(remote)).toHaveLength(1)
    const { handlers, info } = remote.getState()
    const skipped = { understudy: 'network', type: 'state', network: shared.id, revision: 99, whole: false }
    openPort().send({ ...skipped, allHandlers: true, handlers: [], requests: [], connections: [], info })
    await ask('/hello?2')
    await expect.poll(() => urls(remote)).toEqual(['/hello?2', '/hello?1'])
    expect(remote.getState().handlers).toHaveLength(handlers.length)
  })
})

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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
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
