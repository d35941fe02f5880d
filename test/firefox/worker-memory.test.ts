import { testWorkerMemory } from '../acceptance/worker-memory.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testWorkerMemory(driver)
})
