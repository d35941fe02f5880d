import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { readOptions } from '@understudy/engine/internal/dev'
import { afterAll, expect, test, vi } from 'vitest'

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
