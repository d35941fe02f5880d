import { testAppWorker } from '../acceptance/app-worker.ts'
import { vite } from './vite.ts'

testAppWorker(vite)
