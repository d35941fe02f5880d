import { test } from 'vitest'

import { expectPassed, oldestNode } from './run-on-node.ts'

const plugins = ['panel', 'storybook-addon', 'vite-plugin', 'webpack-plugin', 'migrate', 'msw']

test('the tests of the plugins pass', { timeout: 600_000 }, async () => {
  await expectPassed(oldestNode, 'plugins', ['--project', 'node*', ...plugins.map((name) => `packages/${name}/`)])
})
