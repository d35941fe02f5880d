import { createProject } from '../acceptance/project.ts'
import { testInBrowser } from './in-browser.ts'
import { vitest5 } from './run-vitest.ts'

testInBrowser({ cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') })
