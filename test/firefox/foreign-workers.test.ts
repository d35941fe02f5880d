import { testForeignWorkers } from '../acceptance/foreign-workers.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testForeignWorkers(vite, driver)
})
