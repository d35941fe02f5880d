import { describe } from 'vitest'

import { testAccessibility } from './accessibility.ts'
import { testDetails } from './details.ts'
import { testHandlers } from './handlers.ts'
import { openManager, type Manager } from './open-manager.ts'
import { testOverrides } from './overrides.ts'
import { testRequests } from './requests.ts'
import { testSaving } from './saving.ts'
import { testScenarios } from './scenarios.ts'

const everything = [
  testHandlers,
  testOverrides,
  testRequests,
  testDetails,
  testSaving,
  testScenarios,
  testAccessibility,
]

/**
 * Tests the panel, the toolbar and the marks in the sidebar.
 *
 * @param parts the tests to run, if a builder makes no difference for the others
 */
export function describeManager(sandbox: string, parts: readonly ((manager: Manager) => void)[] = everything): void {
  describe(`the manager of ${sandbox}`, () => {
    const manager = openManager(sandbox)
    for (const testPart of parts) testPart(manager)
  })
}
