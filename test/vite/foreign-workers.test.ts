import { testForeignWorkers } from '../acceptance/foreign-workers.ts'
import { vite } from './vite.ts'

testForeignWorkers(vite)
