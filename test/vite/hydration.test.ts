import { testHydration } from '../acceptance/hydration.ts'
import { vite } from './vite.ts'

testHydration(vite)
