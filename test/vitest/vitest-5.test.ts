import { describe } from 'vitest'

import { createProject } from '../acceptance/project.ts'
import { testConfigurations } from './configurations.ts'
import { testInBrowser } from './in-browser.ts'
import { testInNode } from './in-node.ts'
import { vitest5 } from './run-vitest.ts'
import { testWatching } from './watching.ts'

const vitest = { cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') }

describe('in Node', () => {
  testInNode(vitest)
})
describe('in a browser', () => {
  testInBrowser(vitest)
})
describe('configurations', () => {
  testConfigurations(vitest)
})
describe('watching', () => {
  testWatching(vitest)
})
