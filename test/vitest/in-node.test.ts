import { createProject } from '../acceptance/project.ts'
import { testInNode } from './in-node.ts'
import { vitest5 } from './run-vitest.ts'

testInNode({ cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') })
