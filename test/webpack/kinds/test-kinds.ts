import { describe } from 'vitest'

import { testAssetsElsewhere } from './assets-elsewhere.ts'
import { testEntriesAndOutputs } from './entries-and-outputs.ts'
import { openApp, type Kind } from './open-app.ts'

/**
 * Tests features of webpack and similar bundlers: kinds of entries and output, lazy compilation, module federation,
 * public paths, several compilers, servers that other code starts.
 */
export function testKinds(bundler: Kind): void {
  describe(`${bundler.name}, entries and outputs`, () => {
    const app = openApp(bundler)
    testEntriesAndOutputs(app, bundler)
    testAssetsElsewhere(app, bundler)
  })
}
