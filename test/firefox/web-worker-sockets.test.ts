import { testWebWorkerPolicies } from '../acceptance/web-worker-policies.ts'
import { testWebWorkerSockets } from '../acceptance/web-worker-sockets.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testWebWorkerSockets(vite, { driver })
  testWebWorkerPolicies(driver)
})
