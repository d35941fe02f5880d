import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import type { RemoteInspection } from './remote-inspection.ts'
import { connect, hello, openPage, openPort } from './testing/shared-inspections.ts'

async function connectToOne(): Promise<RemoteInspection> {
  const connection = connect()
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  return connection.getNetworks()[0] as RemoteInspection
}

const urls = (remote: RemoteInspection): string[] =>
  remote.getState().requests.map(({ url }) => url.replace('https://app.test', ''))

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
