import { testPlatformFeatures } from '../acceptance/platform-features.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testPlatformFeatures(vite, driver)
})
