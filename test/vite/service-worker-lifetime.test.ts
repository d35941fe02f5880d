import { testIdleWorker, testServiceWorkerLifetime } from '../acceptance/service-worker-lifetime.ts'

testServiceWorkerLifetime()
testIdleWorker()
