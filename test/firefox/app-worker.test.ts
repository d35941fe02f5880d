import { testAppWorker } from '../acceptance/app-worker.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testAppWorker(vite, driver)
})
