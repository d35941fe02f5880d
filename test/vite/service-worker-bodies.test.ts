import { testServiceWorkerBodies } from '../acceptance/service-worker-bodies.ts'

testServiceWorkerBodies()
