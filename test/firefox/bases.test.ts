import { testBases } from '../acceptance/bases.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testBases(vite, driver)
})
