import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, expect, test } from 'vitest'

import { isOlder } from './is-older.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-next-version-')))
const [, program = ''] = process.argv

afterEach(() => {
  process.argv[1] = program
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates an app with a version of Next. */
function install(version: string): string {
  const app = mkdtempSync(join(folder, 'app-'))
  mkdirSync(join(app, 'node_modules/next/dist/bin'), { recursive: true })
  writeFileSync(join(app, 'node_modules/next/package.json'), JSON.stringify({ name: 'next', version }))
  writeFileSync(join(app, 'node_modules/next/dist/bin/next'), '')
  return app
}

test.each([
  ['14.2.30', '15.0', true],
  ['15.0.0', '15.0', false],
  ['15.2.9', '15.3', true],
  ['16.3.8', '16.4', true],
  ['16.4.0', '16.4', false],
  ['16.10.0', '16.4', false],
  ['17.0.0-canary.2', '16.4', false],
  ['15.6.0-canary.60', '15.3', false],
  ['16.4.1-canary.1', '16.4', false],
])('Next %s is older than %s: %s', (version, than, result) => {
  expect(isOlder(install(version), than)).toBe(result)
})

test('a canary version of a minor version is older than it, because it may not contain all of its changes', () => {
  expect(isOlder(install('16.4.0-canary.1'), '16.4')).toBe(true)
})

test('if the root does not contain Next, the running Next counts', () => {
  const app = install('15.5.29')
  mkdirSync(join(app, 'node_modules/.bin'))
  symlinkSync('../next/dist/bin/next', join(app, 'node_modules/.bin/next'))
  process.argv[1] = join(app, 'node_modules/.bin/next')
  expect(isOlder(folder, '16.4')).toBe(true)
  expect(isOlder(folder, '15.0')).toBe(false)
})

test('a version that is not found is not older', () => {
  process.argv[1] = join(folder, 'server.js')
  expect(isOlder(folder, '16.4')).toBe(false)
})
