import { testServiceWorkerBodies } from '../acceptance/service-worker-bodies.ts'
import { testServiceWorker } from '../acceptance/service-worker.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testServiceWorker(driver)
  testServiceWorkerBodies(driver)
})
