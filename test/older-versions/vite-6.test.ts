import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { testBuilds } from '../acceptance/builds.ts'
import { chromium } from '../acceptance/chromium.ts'
import { vite6 } from '../vite/vite.ts'

testBrokenHandlers(vite6, chromium, 'main')
testBuilds(vite6, chromium, 'main')
