import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { emit } from './emit.ts'
import { LifeCycleEmitter, type LifeCycleEventName, type LifeCycleEvents } from './life-cycle-events.ts'

let events: LifeCycleEmitter
beforeEach(() => {
  events = new LifeCycleEmitter()
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Start = LifeCycleEvents['request:start']
const data = (): Start => ({ request: new Request('https://app.test/user'), requestId: '1' })

/** A listener that records its name. */
function listeners(): { heard: string[]; named(name: string): () => void } {
  const heard: string[] = []
  return { heard, named: (name) => () => heard.push(name) }
}

it('calls the listeners of an event, in their order', () => {
  const { heard, named } = listeners()
  events.on('request:start', named('a')).on('request:start', named('b')).on('request:end', named('c'))
  emit(events, 'request:start', data)
  expect(heard).toEqual(['a', 'b'])
})

it('calls listeners of an event with its data', () => {
  const listener = vi.fn<(event: object) => void>()
  events.on('request:start', listener)
  emit(events, 'request:start', data)
  expect(listener).toHaveBeenCalledExactlyOnceWith({
    type: 'request:start',
    requestId: '1',
    request: expect.any(Request) as Request,
  })
})

it('creates the data for each listener, and no data without a listener', () => {
  const create = vi.fn<() => Start>(data)
  emit(events, 'request:start', create)
  expect(create).not.toHaveBeenCalled()
  events.on('request:start', () => {}).on('request:start', () => 0)
  emit(events, 'request:start', create)
  expect(create).toHaveBeenCalledTimes(2)
})

it('calls a listener of once() for only one event', () => {
  const { heard, named } = listeners()
  events.once('request:start', named('once')).on('request:start', named('on'))
  emit(events, 'request:start', data)
  emit(events, 'request:start', data)
  expect(heard).toEqual(['once', 'on', 'on'])
})

it('removes one listener, those of an event, or all', () => {
  const { heard, named } = listeners()
  const a = named('a')
  events.on('request:start', a).on('request:start', named('b')).on('request:end', named('end'))
  events.removeListener('request:start', a)
  events.removeListener('response:mocked', a)
  emit(events, 'request:start', data)
  expect(heard).toEqual(['b'])
  events.removeAllListeners('request:start')
  emit(events, 'request:start', data)
  emit(events, 'request:end', data)
  expect(heard).toEqual(['b', 'end'])
  events.removeAllListeners()
  emit(events, 'request:end', data)
  expect(heard).toEqual(['b', 'end'])
})

it('calls a listener once for each time it was added, as Node and MSW do', () => {
  const { heard, named } = listeners()
  const a = named('a')
  const controller = new AbortController()
  events.on('request:start', a).once('request:start', a).on('request:start', a, { signal: controller.signal })
  emit(events, 'request:start', data)
  expect(heard).toEqual(['a', 'a', 'a'])
  emit(events, 'request:start', data)
  expect(heard).toHaveLength(5)
  controller.abort()
  emit(events, 'request:start', data)
  expect(heard).toHaveLength(6)
  events.removeListener('request:start', a)
  emit(events, 'request:start', data)
  expect([heard.length, events.listenerCount('request:start')]).toEqual([6, 0])
})

it('lets a listener remove itself', () => {
  const { heard, named } = listeners()
  const self = (): void => {
    events.removeListener('request:start', self)
    heard.push('self')
  }
  events.on('request:start', self).on('request:start', named('next'))
  emit(events, 'request:start', data)
  emit(events, 'request:start', data)
  expect(heard).toEqual(['self', 'next', 'next'])
})

describe('a listener that throws', () => {
  const error = new Error('of the listener')

  it.each<[name: string, listener: () => unknown]>([
    [
      'at once',
      () => {
        throw error
      },
    ],
    ['later', () => Promise.reject(error)],
  ])('%s is reported, and the other listeners are called', async (_name, listener) => {
    const { heard, named } = listeners()
    events.on('request:start', listener).on('request:start', named('next'))
    emit(events, 'request:start', data)
    expect(heard).toEqual(['next'])
    await vi.waitFor(() =>
      expect(console.error).toHaveBeenCalledExactlyOnceWith(
        '[understudy] Failed to call a listener of "request:start": it threw. See the error. (US0217)',
        error,
      ),
    )
  })
})

it('calls watchers when listeners are added or removed', () => {
  const watcher = vi.fn<() => void>()
  const end = events.onListenersChange(watcher)
  const listener = (): void => {}
  events.on('request:start', listener).removeListener('request:start', listener)
  events.once('request:start', listener)
  emit(events, 'request:start', data)
  events.removeAllListeners()
  expect(watcher).toHaveBeenCalledTimes(5)
  end()
  events.on('request:start', listener)
  expect(watcher).toHaveBeenCalledTimes(5)
  expect([events.listenerCount('request:start'), events.listenerCount('request:end')]).toEqual([1, 0])
  expect([events.isHeard('request:end', 'request:start'), events.isHeard('request:end')]).toEqual([true, false])
})

describe('options', () => {
  it('once: a single event', () => {
    const { heard, named } = listeners()
    events.on('request:start', named('once'), { once: true })
    emit(events, 'request:start', data)
    emit(events, 'request:start', data)
    expect(heard).toEqual(['once'])
  })

  it.each(['on', 'once'] as const)('signal: removes a listener of %s()', (method) => {
    const { heard, named } = listeners()
    const controller = new AbortController()
    events[method]('request:start', named('signalled'), { signal: controller.signal })
    controller.abort()
    emit(events, 'request:start', data)
    events[method]('request:start', named('late'), { signal: controller.signal })
    emit(events, 'request:start', data)
    expect(heard).toEqual([])
  })
})

describe("'*'", () => {
  it('gets every event, after listeners of that event', () => {
    const heard: string[] = []
    events.on('*', ({ type }) => heard.push(`* ${type}`)).on('request:start', ({ type }) => heard.push(type))
    emit(events, 'request:start', data)
    emit(events, 'request:end', data)
    expect(heard).toEqual(['request:start', '* request:start', '* request:end'])
  })

  it('gets any event, and is not counted as a listener of one event', () => {
    events.once('*', () => {})
    expect([events.isHeard('response:bypass'), events.listenerCount('unhandledException')]).toEqual([true, 0])
    emit(events, 'request:start', data)
    expect(events.isHeard('response:bypass')).toBe(false)
  })
})

describe('a wrong argument of on() and once()', () => {
  it.each(['on', 'once'] as const)('is a listener of %s() that is not a function', (method) => {
    expect(() => events[method]('request:start', undefined as never)).toThrow(
      'Failed to add a listener of "request:start": undefined is not a function. Pass a function. (US0226)',
    )
    expect(events.listenerCount('request:start')).toBe(0)
  })

  it.each(['on', 'once'] as const)('is the name of no event in %s(), with a warning', (method) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    events[method]('requets:start' as never, () => {})
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      '[understudy] A listener of "requets:start" is never called: there is no such event. Correct its name. (US0227)',
    )
  })

  it('does not include the names of events', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    // The type makes the list complete.
    const names: Record<LifeCycleEventName | '*', true> = {
      '*': true,
      'request:start': true,
      'request:match': true,
      'request:unhandled': true,
      'request:end': true,
      'response:mocked': true,
      'response:bypass': true,
      unhandledException: true,
      'websocket:connection': true,
      'websocket:error': true,
      'graphql:subscription': true,
    }
    for (const name of Object.keys(names)) events.on(name as LifeCycleEventName, () => {})
    expect(warn).not.toHaveBeenCalled()
  })
})

/** Returns a promise that is not an instance of this realm's class, like those of `node:vm` and of frames. */
function fromOtherRealm(promise: Promise<unknown>): object {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(Promise.prototype)
  return Object.setPrototypeOf(promise, Object.create(Object.prototype, members) as object) as object
}

it('reports a listener whose promise belongs to another realm', async () => {
  const error = new Error('from afar')
  events.on('request:start', () => fromOtherRealm(Promise.reject(error)))
  emit(events, 'request:start', data)
  await vi.waitFor(() => expect(console.error).toHaveBeenCalledWith(expect.stringContaining('US0217'), error))
})
