import { expect, test } from 'vitest'

import manifest from '../package.json' with { type: 'json' }
import { workerFile } from './worker-file.ts'

test('the worker of each version has another name', () => {
  expect(workerFile).toBe(`understudy-storybook-worker-${manifest.version}.js`)
})
