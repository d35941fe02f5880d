/** Runs the shared scenarios with Rspack. `test/webpack` runs them with webpack. */
import { testBrokenHandlers } from '../../../test/acceptance/broken-handlers.ts'
import { testBuilds } from '../../../test/acceptance/builds.ts'
import { testDock } from '../../../test/acceptance/dock.ts'
import { testFirstLine } from '../../../test/acceptance/first-line.ts'
import { testHotSwap } from '../../../test/acceptance/hot-swap.ts'
import { testPanelSaving } from '../../../test/acceptance/panel-saving.ts'
import { testPanel } from '../../../test/acceptance/panel.ts'
import { testKinds } from '../../../test/webpack/kinds/test-kinds.ts'
import { rspack, rspackKinds } from '../../../test/webpack/tools.ts'

testFirstLine(rspack)
testHotSwap(rspack)
testBrokenHandlers(rspack)
testBuilds(rspack)
testPanel(rspack)
testPanelSaving(rspack)
testDock(rspack)
testKinds(rspackKinds)
