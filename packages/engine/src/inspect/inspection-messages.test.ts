import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readNetworkMessage, readPanelMessage, sealNetworkMessage, sealPanelMessage } from './inspection-messages.ts'

const info = { title: '', url: null, notices: [], labels: [{ id: 1, layer: 'story', group: null }] }
const handler = {
  id: 1,
  kind: 'request',
  header: 'GET /user',
  layer: 'initial',
  origin: { file: 'handlers.ts', line: 1, column: 1 },
  hits: 0,
  enabled: true,
  isUsedUp: false,
  shadowedBy: null,
  override: { status: 500 },
}
const request = {
  id: 'a',
  method: 'GET',
  url: 'https://app.test/user',
  name: null,
  startedAt: 1,
  matchedAfter: null,
  duration: 1,
  respondedAfter: null,
  outcome: 'unhandled',
  status: null,
  statusText: null,
  error: null,
  thrown: null,
  handler: null,
  forced: null,
  noResponse: [{ id: 2, header: 'GET *' }],
  nearest: [{ id: 1, header: 'GET /user', difference: 'none' }],
  suggestion: "http.get('/user', () => HttpResponse.json({})),",
}
const connection = {
  id: 'c',
  url: 'wss://chat.test/',
  handlers: ['WS wss://chat.test'],
  startedAt: 1,
  state: 'closed',
  closedAfter: 5,
  code: 1000,
  reason: '',
  sent: 1,
  received: 0,
}
const frame = { id: 1, direction: 'sent', at: 1, size: 1, text: 'a' }
const state = {
  type: 'state',
  network: 'n',
  revision: 1,
  whole: true,
  info,
  allHandlers: true,
  handlers: [handler],
  requests: [request],
  connections: [connection],
}
const match = { word: 'a', place: 'response body', before: '', found: 'A', after: '' }
const found = { id: 'a', isFinal: true, matches: [match] }
const command = { type: 'command', network: 'n', call: 'c' }
const headers = { request: [['accept', '*/*']], response: null }
const body = { type: 'text/plain', size: 1, isComplete: true, text: 'a', base64: null }

describe('a panel’s message', () => {
  test.each<object>([
    { type: 'watch', panel: 'p', network: null, whole: true },
    { type: 'leave', panel: 'p' },
    { ...command, command: { name: 'setEnabled', id: 1, enabled: false } },
    { ...command, command: { name: 'override', id: 1, override: { delay: 5, networkError: true } } },
    { ...command, command: { name: 'override', id: 1, override: null } },
    { ...command, command: { name: 'override', id: 1, override: { headers: [['a', 'b']], body: 'c' } } },
    { ...command, command: { name: 'reset' } },
    { ...command, command: { name: 'details', requestId: 'a' } },
    { ...command, command: { name: 'send', connectionId: 'a', data: 'b' } },
    { ...command, command: { name: 'send', connectionId: 'a', data: 'b', event: 'c' } },
    { ...command, command: { name: 'search', ids: ['a'], words: ['b'] } },
  ])('is read: %j', (message) => {
    const sealed = sealPanelMessage(message as never)
    expect(readPanelMessage(sealed)).toEqual(sealed)
    expect(readNetworkMessage(sealed)).toBe(undefined)
  })

  test.each<unknown>([
    null,
    'watch',
    [],
    { type: 'toString' },
    { type: 'constructor', panel: 'p' },
    { type: 'watch', panel: 'p', network: null },
    { type: 'watch', panel: 1, network: null, whole: true },
    { ...command, command: null },
    { ...command, command: { name: 'constructor' } },
    { ...command, command: { name: '__proto__' } },
    { ...command, command: { name: 'setEnabled', id: '1', enabled: true } },
    { ...command, command: { name: 'setEnabled', id: 1 } },
    { ...command, command: { name: 'override', id: 1, override: { delay: 'long' } } },
    { ...command, command: { name: 'override', id: Number.NaN, override: null } },
    { ...command, command: { name: 'override', id: 1, override: { headers: [['a']] } } },
    { ...command, command: { name: 'override', id: 1, override: { body: {} } } },
    { ...command, command: { name: 'search', ids: ['a'], words: 'b' } },
    { ...command, command: { name: 'search', words: [] } },
    { ...command, command: { name: 'send', connectionId: 'a', data: 'b', event: 1 } },
  ])('is refused: %j', (message) => {
    const data = typeof message === 'object' && message !== null ? { ...message, understudy: 'panel' } : message
    expect(readPanelMessage(data)).toBe(undefined)
  })
})

describe('a network’s message', () => {
  test.each<object>([
    { type: 'here', network: 'n' },
    { type: 'gone', network: 'n' },
    state,
    { type: 'answer', network: 'n', call: 'c', error: null, details: null },
    {
      type: 'answer',
      network: 'n',
      call: 'c',
      error: null,
      details: { headers, bodies: { request: null, response: body }, frames: [frame] },
    },
    { type: 'answer', network: 'n', call: 'c', error: null, details: null, results: [found] },
  ])('is read: %j', (message) => {
    const sealed = sealNetworkMessage(message as never)
    expect(readNetworkMessage(sealed)).toEqual(sealed)
    expect(readPanelMessage(sealed)).toBe(undefined)
  })

  test.each<[string, object]>([
    ['no handlers', { ...state, handlers: undefined }],
    ['no word about whether these are all handlers', { ...state, allHandlers: undefined }],
    ['a handler of no layer', { ...state, handlers: [{ ...handler, layer: 'other' }] }],
    ['a handler of another origin', { ...state, handlers: [{ ...handler, origin: 'here' }] }],
    ['a handler of another override', { ...state, handlers: [{ ...handler, override: { status: '500' } }] }],
    ['a request of no outcome', { ...state, requests: [{ ...request, outcome: 'lost' }] }],
    ['a request of other nearest', { ...state, requests: [{ ...request, nearest: [1] }] }],
    ['other notices', { ...state, info: { ...info, notices: 'Off.' } }],
    [
      'other places of a search',
      {
        type: 'answer',
        network: 'n',
        call: 'c',
        error: null,
        details: null,
        results: [{ ...found, matches: [{ ...match, place: 'cookies' }] }],
      },
    ],
    ['other labels', { ...state, info: { ...info, labels: [{ id: 1 }] } }],
    [
      'other headers',
      {
        type: 'answer',
        network: 'n',
        call: 'c',
        error: null,
        details: {
          headers: { request: [['a']], response: null },
          bodies: { request: null, response: null },
          frames: [],
        },
      },
    ],
  ])('is refused: %s', (_, message) => {
    expect(readNetworkMessage({ ...message, understudy: 'network' })).toBe(undefined)
  })

  test('of another program is refused', () => {
    expect(readNetworkMessage(state)).toBe(undefined)
  })
})

describe('any message', () => {
  const valid: readonly object[] = [
    { type: 'watch', panel: 'p', network: null, whole: true },
    { ...command, command: { name: 'override', id: 1, override: { delay: 5, networkError: true } } },
    { ...command, command: { name: 'details', requestId: 'a' } },
    state,
    {
      type: 'answer',
      network: 'n',
      call: 'c',
      error: null,
      details: { headers, bodies: { request: null, response: body }, frames: [frame] },
    },
  ]

  /** Returns a message in which one value, at any depth, is replaced. */
  const damaged = fc
    .tuple(fc.constantFrom(...valid), fc.constantFrom('panel', 'network'), fc.nat(), fc.anything({ withBigInt: true }))
    .map(([message, understudy, index, value]) => {
      const copy = structuredClone({ ...message, understudy }) as unknown
      const places: [object, string][] = []
      const collect = (at: unknown): void => {
        if (typeof at !== 'object' || at === null) return
        for (const key of Object.keys(at)) {
          places.push([at, key])
          collect((at as Record<string, unknown>)[key])
        }
      }
      collect(copy)
      const [holder, key] = places[index % places.length] ?? []
      if (holder && key !== undefined)
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true })
      return copy
    })

  test('is read or refused, never an error', () => {
    fc.assert(
      fc.property(fc.oneof(damaged, fc.anything({ withNullPrototype: true, withBigInt: true })), (data) => {
        for (const read of [readPanelMessage, readNetworkMessage]) expect([undefined, data]).toContain(read(data))
      }),
      { numRuns: 2000 },
    )
  })

  test('reaches no prototype', () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')
    fc.assert(
      fc.property(names, names, (type, name) => {
        for (const understudy of ['panel', 'network']) {
          const message: unknown = JSON.parse(
            `{"understudy":"${understudy}","type":"${type}","command":{"name":"${name}"}}`,
          )
          expect(readPanelMessage(message)).toBe(undefined)
          expect(readNetworkMessage(message)).toBe(undefined)
        }
      }),
    )
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
  })
})
