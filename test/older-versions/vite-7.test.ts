import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { testBuilds } from '../acceptance/builds.ts'
import { vite7 } from '../vite/vite.ts'

testBrokenHandlers(vite7)
testBuilds(vite7)
