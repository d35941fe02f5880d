import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { inspect } from './inspect.ts'
import { ask, handlerAt, idAt, inspected, read, resolve, start } from './testing/inspect-network.ts'

describe('a command', () => {
  test('switches a handler off and on', async () => {
    start([http.get('/user', () => HttpResponse.text('first')), http.get('/user', () => HttpResponse.text('second'))])
    inspected.inspection.setEnabled(idAt(0), false)
    expect([await read('/user'), handlerAt(0).enabled]).toEqual(['200 second', false])
    inspected.inspection.setEnabled(idAt(1), false)
    expect(await read('/user')).toBe('unhandled')
    expect(inspected.inspection.snapshot().requests[0]?.nearest).toMatchObject([
      { id: idAt(0), difference: 'it matches, but is switched off' },
      { id: idAt(1), difference: 'it matches, but is switched off' },
    ])
    inspected.inspection.setEnabled(idAt(0), true)
    expect(await read('/user')).toBe('200 first')
  })

  test('forces a status, and keeps the rest of the response', async () => {
    start([http.get('/user', () => HttpResponse.text('body', { headers: { 'x-a': 'b' } }))])
    inspected.inspection.override(idAt(0), { status: 503 })
    const outcome = await ask('/user')
    expect(outcome).toMatchObject({ type: 'mocked', response: { status: 503, statusText: 'Service Unavailable' } })
    expect(outcome.type === 'mocked' && outcome.response.headers.get('x-a')).toBe('b')
    inspected.inspection.override(idAt(0), { status: 204 })
    expect(await read('/user')).toBe('204 ')
    inspected.inspection.override(idAt(0), null)
    expect(await read('/user')).toBe('200 body')
  })

  test('forces a delay', async () => {
    start([http.get('/user', resolve)])
    inspected.inspection.override(idAt(0), { delay: 30 })
    await ask('/user')
    // Timers may fire a millisecond early.
    expect(inspected.inspection.snapshot().requests[0]?.duration).toBeGreaterThan(25)
  })

  test('forces a delay on a handler for one request: it answers only the first', async () => {
    start([
      http.get('/user', () => HttpResponse.text('once'), { once: true }),
      http.get('/user', () => HttpResponse.text('later')),
    ])
    inspected.inspection.override(idAt(0), { delay: 5 })
    expect(await Promise.all([read('/user'), read('/user')])).toEqual(['200 once', '200 later'])
  })

  test('forces a network error', async () => {
    const resolver = vi.fn<() => Response>(resolve)
    start([http.get('/user', resolver)])
    inspected.inspection.override(idAt(0), { networkError: true })
    expect(await read('/user')).toBe('network-error')
    expect(resolver).not.toHaveBeenCalled()
  })

  test('resets all of it', async () => {
    start([http.get('/user', resolve), http.get('/other', resolve)])
    await ask('/user')
    inspected.inspection.setEnabled(idAt(1), false)
    inspected.inspection.override(idAt(0), { status: 500 })
    inspected.inspection.reset()
    expect(inspected.inspection.snapshot()).toMatchObject({
      requests: [],
      handlers: [
        { hits: 0, enabled: true, override: null },
        { hits: 0, enabled: true, override: null },
      ],
    })
  })

  test('clearing removes requests and hits, and keeps disabled handlers and overrides', async () => {
    start([http.get('/user', resolve), http.get('/post', resolve)])
    await ask('/user')
    inspected.inspection.setEnabled(idAt(1), false)
    inspected.inspection.override(idAt(0), { status: 500 })
    inspected.inspection.clear()
    expect(inspected.inspection.snapshot()).toMatchObject({
      requests: [],
      handlers: [
        { hits: 0, enabled: true, override: { status: 500 } },
        { hits: 0, enabled: false },
      ],
    })
  })

  test.each<[name: string, command: () => void, message: string]>([
    [
      'to switch an unknown handler',
      () => inspected.inspection.setEnabled(99, false),
      'Failed to switch a handler: there is no handler with the id 99. Use an id from the latest snapshot().',
    ],
    [
      'to override an unknown handler',
      () => inspected.inspection.override(99, null),
      'Failed to override a handler: there is no handler with the id 99.',
    ],
    [
      'with an invalid status',
      () => inspected.inspection.override(idAt(0), { status: 99 }),
      'Failed to override a handler: 99 is not a valid status. Use an integer from 200 to 599.',
    ],
    [
      'with a negative delay',
      () => inspected.inspection.override(idAt(0), { delay: -1 }),
      'Failed to override a handler: -1 is not a valid delay. Use milliseconds, from 0 to 2147483647.',
    ],
    [
      'with too long a delay',
      () => inspected.inspection.override(idAt(0), { delay: 2 ** 31 }),
      '2147483648 is not a valid delay.',
    ],
    ['to keep no bytes', () => inspected.inspection.keepBodies(0), 'Failed to keep bodies: 0 is not a valid limit.'],
    [
      'to inspect another value',
      () => inspect({} as never),
      'Failed to inspect: its argument is an object with the keys (none). Pass what setupWorker() or setupServer() returned.',
    ],
  ])('%s is refused', (_, command, message) => {
    start([http.get('/user', resolve)])
    expect(command).toThrow(message)
    expect(handlerAt(0)).toMatchObject({ enabled: true, override: null })
  })
})
