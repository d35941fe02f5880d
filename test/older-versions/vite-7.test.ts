import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { testBuilds } from '../acceptance/builds.ts'
import { chromium } from '../acceptance/chromium.ts'
import { vite7 } from '../vite/vite.ts'

testBrokenHandlers(vite7, chromium, 'main')
testBuilds(vite7, chromium, 'main')
