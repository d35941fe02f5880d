import { testHydration } from '../acceptance/hydration.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testHydration(vite, driver)
})
