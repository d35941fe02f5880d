import { describe } from 'vitest'

import { testAccessibility } from './accessibility.ts'
import { testHandlers } from './handlers.ts'
import { openManager } from './open-manager.ts'
import { testOverrides } from './overrides.ts'
import { testRequests } from './requests.ts'

/** Tests the panel, the toolbar and the marks in the sidebar, for each builder. */
export function describeManager(sandbox: string): void {
  describe(`the manager of ${sandbox}`, () => {
    const manager = openManager(sandbox)
    testHandlers(manager)
    testOverrides(manager)
    testRequests(manager)
    testAccessibility(manager)
  })
}
