import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { readOptions } from '@understudy/engine/internal/dev'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

import { NextMocking } from './next-mocking.ts'

const root = mkdtempSync(join(tmpdir(), 'understudy-next-'))

afterAll(() => rmSync(root, { recursive: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

test('an error of the handlers is printed once for each edit', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const count = (name: string): number => error.mock.calls.filter(([text]) => String(text).includes(name)).length
  write('src/mocks/handlers.ts', 'nowhere()')
  const options = readOptions({ panel: false }, 'withUnderstudy()')
  const mocking = NextMocking.of(root, { options, basePath: '', trustedHosts: [], distDir: '.next' })
  await mocking.start()
  expect(count('nowhere')).toBe(1)
  write('src/mocks/handlers.ts', 'missing()')
  await expect.poll(() => count('missing')).toBe(1)
  mocking.stop()
  expect(count('nowhere')).toBe(1)
})

test('the start of another app in the same process prints a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const options = readOptions({ panel: false }, 'withUnderstudy()')
  const create = (name: string): NextMocking => {
    write(`${name}/src/mocks/handlers.ts`, 'export const handlers = []')
    const mocking = NextMocking.of(join(root, name), { options, basePath: '', trustedHosts: [], distDir: '.next' })
    onTestFinished(() => mocking.stop())
    return mocking
  }
  const warnings = (): string[] =>
    warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('US0873'))
  const [shop, admin] = [create('shop'), create('admin')]
  await shop.start()
  expect(warnings()).toEqual([])
  await admin.start()
  // Next reads its configuration more than once.
  await admin.start()
  expect(warnings()).toEqual([expect.stringContaining(`serves ${join(root, 'shop')} and ${join(root, 'admin')},`)])
})
