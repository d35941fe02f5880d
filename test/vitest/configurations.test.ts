import { createProject } from '../acceptance/project.ts'
import { testConfigurations } from './configurations.ts'
import { vitest5 } from './run-vitest.ts'

testConfigurations({ cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') })
