/** Runs the shared scenarios with Rspack. `test/webpack` runs them with webpack, and those of the dock and of saving with both. */
import { testBrokenHandlers } from '../../../test/acceptance/broken-handlers.ts'
import { testBuilds } from '../../../test/acceptance/builds.ts'
import { chromium } from '../../../test/acceptance/chromium.ts'
import { testFirstLine } from '../../../test/acceptance/first-line.ts'
import { testHotSwap } from '../../../test/acceptance/hot-swap.ts'
import { testPanel } from '../../../test/acceptance/panel.ts'
import { testKinds } from '../../../test/webpack/kinds/test-kinds.ts'
import { rspack, rspackKinds } from '../../../test/webpack/tools.ts'

testFirstLine(rspack, chromium, 'main')
testHotSwap(rspack, chromium, 'main')
testBrokenHandlers(rspack, chromium, 'main')
testBuilds(rspack, chromium, 'main')
testPanel(rspack, chromium, 'main')
testKinds(rspackKinds)
