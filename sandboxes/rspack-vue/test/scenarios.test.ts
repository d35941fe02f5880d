/** The shared promises on Rspack; those of webpack are in test/webpack. */
import { testBrokenHandlers } from '../../../test/acceptance/broken-handlers.ts'
import { testBuilds } from '../../../test/acceptance/builds.ts'
import { testFirstLine } from '../../../test/acceptance/first-line.ts'
import { testHotSwap } from '../../../test/acceptance/hot-swap.ts'
import { rspack } from '../../../test/webpack/tools.ts'

testFirstLine(rspack)
testHotSwap(rspack)
testBrokenHandlers(rspack)
testBuilds(rspack)
