import { testBuilds } from '../acceptance/builds.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testBuilds(vite, driver)
})
