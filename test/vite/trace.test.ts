import { testTrace } from '../acceptance/trace.ts'
import { vite } from './vite.ts'

testTrace(vite)
