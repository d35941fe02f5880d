import { describe } from 'vitest'

import type { Extent } from '../../acceptance/build-tool.ts'
import { testAssetsElsewhere } from './assets-elsewhere.ts'
import { testEntriesAndOutputs } from './entries-and-outputs.ts'
import { openApp, type Kind } from './open-app.ts'

/**
 * Tests features of webpack and similar bundlers: kinds of entries and output, lazy compilation, module federation,
 * public paths, several compilers, servers that other code starts.
 *
 * @param extent `'main'`: what depends on the dev server, with the same bundler
 */
export function testKinds(bundler: Kind, extent: Extent = 'all'): void {
  describe(`${bundler.name}, entries and outputs`, () => {
    const app = openApp(bundler)
    testEntriesAndOutputs(app, bundler, extent)
    testAssetsElsewhere(app, bundler, extent)
  })
}
