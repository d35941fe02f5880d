import { expect, test } from 'vitest'

import manifest from '../package.json' with { type: 'json' }
import { workerFile } from './worker-file.ts'

test('each version has a worker of its own name', () => {
  expect(workerFile).toBe(`understudy-storybook-worker-${manifest.version}.js`)
})
