import { testBlockedWorkers } from '../acceptance/blocked-workers.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testBlockedWorkers(vite, driver)
})
