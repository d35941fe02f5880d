import { testBundledDev } from '../acceptance/bundled-dev.ts'
import { bundledVite } from './vite.ts'

testBundledDev(bundledVite)
