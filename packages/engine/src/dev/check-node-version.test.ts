import { expect, test } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { checkNodeVersion } from './check-node-version.ts'

const check = (versions?: Record<string, string>): string => {
  try {
    checkNodeVersion('load a package', versions as NodeJS.ProcessVersions | undefined)
    return 'passed'
  } catch (error) {
    return (error as Error).message
  }
}

test.each(['18.20.4', '20.20.2', '21.7.3', '22.0.0', '22.11.9'])('Node %s is too old', (node) => {
  expect(check({ node })).toBe(`Failed to load a package: Node ${node} is too old. Use Node 22.12 or later. (US0410)`)
})

test.each(['22.12.0', '22.20.1', '23.0.0', '24.1.0', '100.0.0'])('Node %s is supported', (node) => {
  expect(check({ node })).toBe('passed')
})

test('this Node is supported, and no other runtime is checked', () => {
  expect(check()).toBe('passed')
  expect(check({})).toBe('passed')
  expect(check({ node: '20.0.0', bun: '1.1.0' })).toBe('passed')
  expect(check({ node: '20.0.0', deno: '2.0.0' })).toBe('passed')
})

test('the manifest names the same version', () => {
  expect(manifest.engines.node).toBe('>=22.12')
})
