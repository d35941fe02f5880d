/** Tests a dev server on every visit. */
import { chromium } from '../acceptance/chromium.ts'
import { testFirstLine } from '../acceptance/first-line.ts'
import { testFirstVisit } from '../acceptance/first-visit.ts'
import { testHotSwap } from '../acceptance/hot-swap.ts'
import { testViteOnly } from '../acceptance/vite-only.ts'
import { vite7 } from '../vite/vite.ts'

testFirstLine(vite7, chromium, 'main')
testHotSwap(vite7, chromium, 'main')
testFirstVisit(vite7)
testViteOnly(vite7)
