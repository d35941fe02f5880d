import { testHotSwap } from '../acceptance/hot-swap.ts'
import { vite } from './vite.ts'

testHotSwap(vite)
