import { describe, expect, test } from 'vitest'

import { parseWebSocketUrl, protocolsOf, readProtocols, resolveWebSocketUrl } from './web-socket-url.ts'

const match = (url: string | RegExp, connected: string, baseUrl?: string): object | null => {
  const params = parseWebSocketUrl('make a link', url)(new URL(connected), baseUrl)
  return params && { ...params }
}

describe('matching', () => {
  test.each([
    ['wss://example.com/chat', 'wss://example.com/chat', {}],
    ['wss://example.com/chat', 'wss://example.com/chat?token=1', {}],
    ['wss://example.com/chat', 'wss://example.com/chat/', {}],
    ['wss://example.com', 'wss://example.com/', {}],
    ['wss://example.com/', 'wss://example.com', {}],
    // `http` means `ws`, as on the platform.
    ['https://example.com/chat', 'wss://example.com/chat', {}],
    ['http://localhost:8080/chat', 'ws://localhost:8080/chat', {}],
    ['wss://example.com:443/chat', 'wss://example.com/chat', {}],
    ['wss://example.com/:room/:user?', 'wss://example.com/a%20b', { room: 'a b' }],
    ['wss://example.com/:room/:user?', 'wss://example.com/a/b', { room: 'a', user: 'b' }],
    ['wss://example.com/rooms/:path+', 'wss://example.com/rooms/a/b', { path: ['a', 'b'] }],
    ['wss://*.example.com/chat', 'wss://eu.example.com/chat', { 0: 'eu' }],
    ['*/chat', 'wss://example.com/chat', { 0: 'wss://example.com' }],
    ['*', 'wss://example.com/chat', { 0: 'wss://example.com/chat' }],
    [/^wss:\/\/example\.com\/(?<room>\w+)$/, 'wss://example.com/chat?x', { 0: 'chat', room: 'chat' }],
    ['wss://example.com/__proto__/:__proto__', 'wss://example.com/__proto__/x', { ['__proto__']: 'x' }],
  ])('%s takes %s', (url, connected, params) => {
    expect(match(url, connected)).toEqual(params)
  })

  test.each([
    ['wss://example.com/chat', 'ws://example.com/chat'],
    ['wss://example.com/chat', 'wss://example.org/chat'],
    ['wss://example.com/chat', 'wss://example.com/chat/5'],
    ['wss://example.com/chat', 'wss://example.com:8443/chat'],
    [/^https:/, 'wss://example.com/chat'],
  ])('%s does not take %s', (url, connected) => {
    expect(match(url, connected)).toBeNull()
  })

  test.each([
    ['/chat', 'http://localhost:3000/page', 'ws://localhost:3000/chat', true],
    ['/chat', 'https://example.com/page', 'wss://example.com/chat', true],
    ['/chat', 'https://example.com/page', 'wss://example.org/chat', false],
    ['./chat/:room', 'https://example.com/app/page', 'wss://example.com/app/chat/5', true],
    ['/chat', undefined, 'wss://example.com/chat', true],
  ])('%s relative to %s, of %s: %s', (url, baseUrl, connected, isMatch) => {
    expect(match(url, connected, baseUrl) !== null).toBe(isMatch)
  })

  test.each([
    ['wss://example.com', 'wss://example.com/socket.io/?EIO=4&transport=websocket', true],
    ['wss://example.com/socket.io/', 'wss://example.com/socket.io/?EIO=4&transport=websocket', true],
    ['wss://example.com/chat', 'wss://example.com/socket.io/?EIO=4', false],
  ])('%s, where Socket.IO connects to %s: %s', (url, connected, isMatch) => {
    expect(match(url, connected) !== null).toBe(isMatch)
  })
})

test('a URL is resolved like on the platform, and never changed', () => {
  const given = new URL('https://example.com/chat')
  expect(resolveWebSocketUrl(given)?.href).toBe('wss://example.com/chat')
  expect(given.href).toBe('https://example.com/chat')
  expect(resolveWebSocketUrl('ws://localhost:80/a b')?.href).toBe('ws://localhost/a%20b')
  for (const url of ['wss://[', 'mailto:a@example.com', 'wss://example.com/#part', 'wss://example.com/#', undefined]) {
    // In a page, a string is relative to the page.
    if (url === undefined && 'document' in globalThis) continue
    expect(resolveWebSocketUrl(url)).toBeUndefined()
  }
})

test.each([
  [undefined, undefined, []],
  ['chat', 'chat', ['chat']],
  [
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ],
  [new Set(['a']), ['a'], ['a']],
  // The URLs that Node accepts.
  [{ protocols: ['a'], headers: {} }, ['a'], ['a']],
  [{ headers: {} }, undefined, []],
  ['a b', 'a b', undefined],
  [['a', 'a'], ['a', 'a'], undefined],
  ['', '', undefined],
])('protocols: %o', (given, shown, names) => {
  expect(protocolsOf(given)).toEqual(shown)
  expect(readProtocols(given)).toEqual(names)
})
