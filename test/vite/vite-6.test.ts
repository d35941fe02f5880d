/** What a dev server does on every visit; `npm run test:all` goes on in test/older-versions. */
import { testFirstLine } from '../acceptance/first-line.ts'
import { testHotSwap } from '../acceptance/hot-swap.ts'
import { vite6 } from './vite.ts'

testFirstLine(vite6)
testHotSwap(vite6)
