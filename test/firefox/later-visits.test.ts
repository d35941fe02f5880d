import { testLaterVisits } from '../acceptance/later-visits.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testLaterVisits(vite, driver)
})
