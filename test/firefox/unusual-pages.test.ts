import { testUnusualPages } from '../acceptance/unusual-pages.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testUnusualPages(vite, driver)
})
