import { testPageEntries } from '../acceptance/page-entries.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testPageEntries(vite, driver)
})
