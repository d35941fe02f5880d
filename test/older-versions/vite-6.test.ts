import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { testBuilds } from '../acceptance/builds.ts'
import { vite6 } from '../vite/vite.ts'

testBrokenHandlers(vite6)
testBuilds(vite6)
