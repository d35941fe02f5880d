/** Handlers that are broken from the start take the same way in all versions: `vite-6.test.ts` and `test/vite` test them. */
import { testBuilds } from '../acceptance/builds.ts'
import { chromium } from '../acceptance/chromium.ts'
import { vite7 } from '../vite/vite.ts'

testBuilds(vite7, chromium, 'main')
