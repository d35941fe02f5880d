import { testSlowWorkers } from '../acceptance/slow-workers.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testSlowWorkers(vite, driver)
})
