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
  duration: 1,
  outcome: 'unhandled',
  status: null,
  statusText: null,
  error: null,
  handler: null,
  nearest: [{ id: 1, header: 'GET /user', difference: 'none' }],
  suggestion: "http.get('/user', () => HttpResponse.json({})),",
}
const state = { type: 'state', network: 'n', revision: 1, whole: true, info, handlers: [handler], requests: [request] }
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
    { ...command, command: { name: 'reset' } },
    { ...command, command: { name: 'details', requestId: 'a' } },
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
      details: { headers, bodies: { request: null, response: body } },
    },
  ])('is read: %j', (message) => {
    const sealed = sealNetworkMessage(message as never)
    expect(readNetworkMessage(sealed)).toEqual(sealed)
    expect(readPanelMessage(sealed)).toBe(undefined)
  })

  test.each<[string, object]>([
    ['no handlers', { ...state, handlers: undefined }],
    ['a handler of no layer', { ...state, handlers: [{ ...handler, layer: 'other' }] }],
    ['a handler of another origin', { ...state, handlers: [{ ...handler, origin: 'here' }] }],
    ['a handler of another override', { ...state, handlers: [{ ...handler, override: { status: '500' } }] }],
    ['a request of no outcome', { ...state, requests: [{ ...request, outcome: 'lost' }] }],
    ['a request of other nearest', { ...state, requests: [{ ...request, nearest: [1] }] }],
    ['other notices', { ...state, info: { ...info, notices: 'Off.' } }],
    ['other labels', { ...state, info: { ...info, labels: [{ id: 1 }] } }],
    [
      'other headers',
      {
        type: 'answer',
        network: 'n',
        call: 'c',
        error: null,
        details: { headers: { request: [['a']], response: null }, bodies: { request: null, response: null } },
      },
    ],
  ])('is refused: %s', (_, message) => {
    expect(readNetworkMessage({ ...message, understudy: 'network' })).toBe(undefined)
  })

  test('of another program is refused', () => {
    expect(readNetworkMessage(state)).toBe(undefined)
  })
})
