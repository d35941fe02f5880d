import { chromium } from '../acceptance/chromium.ts'
import { testHotSwap } from '../acceptance/hot-swap.ts'
import { webpack } from './tools.ts'

testHotSwap(webpack, chromium, 'main')
