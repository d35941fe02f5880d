import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { PathAliases } from './path-aliases.ts'
import { findRoot } from './with-understudy.ts'

const root = mkdtempSync(join(tmpdir(), 'understudy-aliases-'))

afterAll(() => rmSync(root, { recursive: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

test('aliases apply from a base URL and from a file that is extended', () => {
  write('f/base.json', '{ "compilerOptions": { "paths": { "~/*": ["lib/*"], "one": ["lib/1"] } } }')
  write('f/jsconfig.json', '{ /* "a" */ "extends": "./base.json", }')
  expect(new PathAliases(join(root, 'f')).list('~/x')).toEqual([join(root, 'f/lib/x')])
  expect(new PathAliases(join(root, 'f')).list('one')).toEqual([join(root, 'f/lib/1')])
  expect(new PathAliases(join(root, 'f')).list('two')).toEqual([])
  write('g/tsconfig.json', '{ "compilerOptions": { "baseUrl": "src" } }')
  expect(new PathAliases(join(root, 'g')).list('x/y')).toEqual([join(root, 'g/src/x/y')])
})

test('a file that is not JSON, or extends itself, has no aliases', () => {
  write('h/tsconfig.json', '{ not JSON')
  expect(new PathAliases(join(root, 'h')).list('x')).toEqual([])
  write('i/tsconfig.json', '{ "extends": "./tsconfig.json" }')
  expect(new PathAliases(join(root, 'i')).list('x')).toEqual([])
})

test('the root is the folder of the configuration that calls', () => {
  const urls = 'Error\n    at withUnderstudy (file:///x/a.js:1:1)\n    at file:///home/a%20b/app/next.config.mjs:3:1'
  expect(findRoot(urls)).toBe('/home/a b/app')
  expect(findRoot('Error\n    at Object.<anonymous> (/home/app/next.config.ts:3:1)')).toBe('/home/app')
  expect(findRoot('Error\n    at file:///home/app/other.js:1:1')).toBe(process.cwd())
})
