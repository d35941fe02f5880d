import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { vite } from './vite.ts'

testBrokenHandlers(vite)
