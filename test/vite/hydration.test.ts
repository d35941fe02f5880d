import { testHydration } from '../acceptance/hydration.ts'
import { viteWithReact } from './vite.ts'

testHydration(viteWithReact)
