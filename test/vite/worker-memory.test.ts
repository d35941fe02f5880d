import { testWorkerMemory } from '../acceptance/worker-memory.ts'

testWorkerMemory()
