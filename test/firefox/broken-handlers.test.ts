import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testBrokenHandlers(vite, driver, 'main')
})
