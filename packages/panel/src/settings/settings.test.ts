import type { Override } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import type { PanelState } from '../panel-host.ts'
import { formatSettings, keysOfHandlers, parseSettings, readSettings } from './settings.ts'

type Made = readonly [header: string, enabled?: boolean, override?: Override | null]

function createState(...made: readonly Made[]): PanelState {
  const handlers = made.map(([header, enabled = true, override = null], index) => ({
    id: index + 10,
    kind: 'request',
    header,
    layer: 'initial' as const,
    origin: null,
    hits: 0,
    enabled,
    isUsedUp: false,
    shadowedBy: null,
    override,
  }))
  const labels = [{ id: 11, layer: 'story', group: 'auth' }]
  return { handlers, requests: [], connections: [], info: { title: '', url: null, notices: [], labels } }
}

test('handlers are identified by layer and header, and by a number if several have the same', () => {
  const state = createState(['GET /user'], ['GET /user'], ['GET /user'], ['GET /user'])
  expect([...keysOfHandlers(state)]).toEqual([
    [10, 'initial GET /user'],
    [11, 'story GET /user'],
    [12, 'initial GET /user #2'],
    [13, 'initial GET /user #3'],
  ])
})

test('settings can be formatted for a URL and parsed again', () => {
  const state = createState(
    ['GET /user/:id'],
    ['POST /a&b=c d', false],
    ['query GetUser', true, { status: 503, delay: 2000 }],
    ['GET /(\\d+)/i', false, { networkError: true }],
  )
  const settings = readSettings(state)
  expect([...settings.keys()]).toEqual(['story POST /a&b=c d', 'initial query GetUser', 'initial GET /(\\d+)/i'])
  const text = formatSettings(settings)
  expect(text).toContain('initial+query+GetUser=503.delay-2000')
  expect(parseSettings(text)).toEqual(settings)
  expect(parseSettings(new URL(`http://localhost/#${text}`).hash.slice(1))).toEqual(settings)
  expect(formatSettings(new Map())).toBe('')
})

test.each([
  ['', 0],
  ['a=', 0],
  ['a=on', 0],
  ['a=99', 0],
  ['a=600', 0],
  ['a=delay--5', 0],
  ['a=delay-99999999999', 0],
  ['__proto__=off', 1],
  ['a=off.unknown', 1],
])('%s holds %i settings', (text, count) => {
  expect(parseSettings(text).size).toBe(count)
})

test('an edited response can be formatted for a URL and parsed again', () => {
  const override: Override = { status: 201, delay: 100, headers: [['x-a.b', 'Grüße + / = &']], body: '{"ü": "\\n"}' }
  const state = createState(
    ['GET /a', true, override],
    ['GET /b', true, { body: '' }],
    ['GET /c', false, { headers: [] }],
  )
  const settings = readSettings(state)
  const text = formatSettings(settings)
  expect(parseSettings(text)).toEqual(settings)
  expect(parseSettings(new URL(`https://app.test/#${text}`).hash.slice(1))).toEqual(settings)
})

test('the address does not contain the setting of a very long edit', () => {
  const state = createState(['GET /a', true, { status: 503, body: 'a'.repeat(100_000) }], ['GET /b', false])
  expect([...parseSettings(formatSettings(readSettings(state))).values()]).toEqual([{ enabled: false, override: null }])
})

test.each([
  '',
  '!',
  'bnVsbA',
  btoa('{"body":1}'),
  btoa('{"headers":[["not a name",""]]}'),
  btoa('{"headers":[["a",1]]}'),
])('an edit that is not valid is left out: %s', (word) => {
  expect([...parseSettings(`key=503.edit-${word}`).values()]).toEqual([{ enabled: true, override: { status: 503 } }])
})
