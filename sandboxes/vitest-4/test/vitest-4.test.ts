import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { createHeavyProject, readFixture } from '../../../test/acceptance/project.ts'
import { testConfigurations } from '../../../test/vitest/configurations.ts'
import { testInBrowser } from '../../../test/vitest/in-browser.ts'
import { testInNode } from '../../../test/vitest/in-node.ts'
import { testWatching } from '../../../test/vitest/watching.ts'

const installed = join(import.meta.dirname, '../node_modules/vitest')
const vitest = {
  cli: join(installed, 'vitest.mjs'),
  createFixture: async () => createHeavyProject('vitest-4', await readFixture('test/fixtures/vitest')),
}

test('it is Vitest 4', () => {
  expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).toMatchObject({
    version: expect.stringMatching(/^4\./),
  })
})

describe('in Node', () => {
  testInNode(vitest)
})
describe('in a browser', () => {
  testInBrowser(vitest)
})
describe('configurations', () => {
  testConfigurations(vitest, 'main')
})
describe('watching', () => {
  testWatching(vitest)
})
