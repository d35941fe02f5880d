import { createProject } from '../acceptance/project.ts'
import { vitest5 } from './run-vitest.ts'
import { testWatching } from './watching.ts'

testWatching({ cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') })
