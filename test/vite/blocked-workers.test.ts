import { testBlockedWorkers } from '../acceptance/blocked-workers.ts'
import { vite } from './vite.ts'

testBlockedWorkers(vite)
