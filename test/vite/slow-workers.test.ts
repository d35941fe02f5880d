import { testSlowWorkers } from '../acceptance/slow-workers.ts'
import { vite } from './vite.ts'

testSlowWorkers(vite)
