import { testServiceWorkerLifetime } from '../acceptance/service-worker-lifetime.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testServiceWorkerLifetime(driver)
})
