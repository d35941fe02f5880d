/** Tests a dev server on every visit. */
import { testFirstLine } from '../acceptance/first-line.ts'
import { testHotSwap } from '../acceptance/hot-swap.ts'
import { testViteOnly } from '../acceptance/vite-only.ts'
import { vite7 } from '../vite/vite.ts'

testFirstLine(vite7)
testHotSwap(vite7)
testViteOnly(vite7)
