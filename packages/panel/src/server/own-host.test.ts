import { expect, test } from 'vitest'

import { isOwnHost } from './own-host.ts'

test.for(['localhost', 'localhost:3000', 'app.localhost:80', '127.0.0.1:3000', '192.168.1.5', '[::1]:3000'])(
  '%s is a host of this machine',
  (host) => expect(isOwnHost(host)).toBe(true),
)

test.for([undefined, '', 'example.com', 'localhost.example.com', 'rebound.test:3000', 'a b', '@', ['localhost']])(
  '%s may belong to another site',
  (host) => expect(isOwnHost(host)).toBe(false),
)

test('a project can trust names, and subdomains by a leading dot', () => {
  expect(isOwnHost('dev.example.com:3000', ['dev.example.com'])).toBe(true)
  expect(isOwnHost('a.example.com', ['.example.com'])).toBe(true)
  expect(isOwnHost('notexample.com', ['.example.com'])).toBe(false)
  expect(isOwnHost('dev.example.com.evil.test', ['dev.example.com'])).toBe(false)
})

test('a project can trust subdomains with the wildcards of Next.js', () => {
  expect(isOwnHost('a.example.com:3000', ['*.example.com'])).toBe(true)
  expect(isOwnHost('a.b.example.com', ['*.example.com'])).toBe(false)
  expect(isOwnHost('a.b.example.com', ['**.example.com'])).toBe(true)
  expect(isOwnHost('a.example.com', ['**.example.com'])).toBe(true)
  expect(isOwnHost('example.com', ['*.example.com'])).toBe(false)
  expect(isOwnHost('a.EXAMPLE.com', ['*.Example.com'])).toBe(true)
  expect(isOwnHost('notexample.com', ['*.example.com', '**.example.com'])).toBe(false)
  expect(isOwnHost('a.example.com.evil.test', ['*.example.com'])).toBe(false)
  expect(isOwnHost('evil.test', ['*', '**', '*.test.*'])).toBe(false)
})
