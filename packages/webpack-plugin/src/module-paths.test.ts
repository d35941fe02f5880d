import { win32 } from 'node:path'

import { expect, test } from 'vitest'

import { isBeside, isOneOf } from './module-paths.ts'

const root = 'C:\\Users\\Ada Lovelace\\app'
/** As `findHandlers` returns it: with forward slashes. */
const handlers = win32.resolve(root, 'src/mocks/handlers.ts').replaceAll('\\', '/')

test.each([
  [win32.join(root, 'src\\mocks\\handlers.ts'), true, true],
  [win32.join(root, 'src\\mocks\\handlers.ts?query=\\a'), true, true],
  [win32.join(root, 'src\\mocks\\users\\list.ts'), false, true],
  ['c:\\Users\\Ada Lovelace\\app\\src\\mocks\\handlers.ts', true, true],
  ['C:/Users/Ada Lovelace/app/src/mocks/handlers.ts', true, true],
  ['D:\\Users\\Ada Lovelace\\app\\src\\mocks\\handlers.ts', false, false],
  [win32.join(root, 'src\\mocks.ts'), false, false],
  [win32.join(root, 'src\\mocks-of-others\\handlers.ts'), false, false],
])('on Windows, %s is the handlers file: %s; is beside it: %s', (resource, isSame, isNear) => {
  expect([isOneOf(resource, [handlers]), isBeside(resource, handlers)]).toEqual([isSame, isNear])
})

test('a file of a Windows share', () => {
  expect(isOneOf('\\\\server\\share\\mocks\\handlers.ts', ['//server/share/mocks/handlers.ts'])).toBe(true)
  expect(isBeside('\\\\server\\share\\mocks\\users.ts', '//server/share/mocks/handlers.ts')).toBe(true)
})

test('on other systems, a backslash is a part of a name, and case counts', () => {
  expect(isOneOf('/app/mocks\\handlers.ts', ['/app/mocks/handlers.ts'])).toBe(false)
  expect(isOneOf('/App/mocks/handlers.ts', ['/app/mocks/handlers.ts'])).toBe(false)
  expect(isBeside('/app/mocks/users.ts?a=/', '/app/mocks/handlers.ts')).toBe(true)
  expect(isOneOf('/a?b/c#/app/main.ts', ['/a?b/c#/app/mocks/handlers.ts'])).toBe(false)
  expect(isBeside('/app/main.ts', '/app/mocks/handlers.ts')).toBe(false)
})
