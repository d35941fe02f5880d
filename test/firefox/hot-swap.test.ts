import { testHotSwap } from '../acceptance/hot-swap.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testHotSwap(vite, driver, 'main')
})
