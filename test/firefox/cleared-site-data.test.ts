import { testClearedSiteData } from '../acceptance/cleared-site-data.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testClearedSiteData(vite, driver)
})
