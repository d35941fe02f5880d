import { testOtherVersions } from '../acceptance/other-versions.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testOtherVersions(vite, driver)
})
