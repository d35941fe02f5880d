/**
 * Runs the shared scenarios with webpack-dev-server 5 and webpack-cli 6. `test/webpack` runs them with the newest versions, and those of
 * builds and of saving, in which the same webpack and the same plugin do the work.
 */
import { testBrokenHandlers } from '../../../test/acceptance/broken-handlers.ts'
import { testBuilds } from '../../../test/acceptance/builds.ts'
import { chromium } from '../../../test/acceptance/chromium.ts'
import { testFirstLine } from '../../../test/acceptance/first-line.ts'
import { testHotSwap } from '../../../test/acceptance/hot-swap.ts'
import { testPanel } from '../../../test/acceptance/panel.ts'
import { testKinds } from '../../../test/webpack/kinds/test-kinds.ts'
import { webpackDevServer5, webpackDevServer5Kinds } from '../../../test/webpack/tools.ts'

testFirstLine(webpackDevServer5, chromium, 'main')
testHotSwap(webpackDevServer5, chromium, 'main')
testBrokenHandlers(webpackDevServer5, chromium, 'main')
testBuilds(webpackDevServer5, chromium, 'command line')
testPanel(webpackDevServer5, chromium, 'main')
testKinds(webpackDevServer5Kinds, 'main')
