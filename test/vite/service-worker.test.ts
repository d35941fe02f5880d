import { testServiceWorker } from '../acceptance/service-worker.ts'

testServiceWorker()
