/** Runs the shared scenarios with Rsbuild. */
import { testBrokenHandlers } from '../../../test/acceptance/broken-handlers.ts'
import { testBuilds } from '../../../test/acceptance/builds.ts'
import { chromium } from '../../../test/acceptance/chromium.ts'
import { testDock } from '../../../test/acceptance/dock.ts'
import { testFirstLine } from '../../../test/acceptance/first-line.ts'
import { testHotSwap } from '../../../test/acceptance/hot-swap.ts'
import { testPanelSaving } from '../../../test/acceptance/panel-saving.ts'
import { testPanel } from '../../../test/acceptance/panel.ts'
import { testScriptPolicies } from '../../../test/acceptance/script-policies.ts'
import { rsbuild } from './rsbuild.ts'

testFirstLine(rsbuild, chromium, 'main')
testHotSwap(rsbuild, chromium, 'main')
testBrokenHandlers(rsbuild, chromium, 'main')
testBuilds(rsbuild, chromium, 'main')
testScriptPolicies(rsbuild, chromium, 'main')
testPanel(rsbuild, chromium, 'main')
testPanelSaving(rsbuild)
testDock(rsbuild, 'main')
