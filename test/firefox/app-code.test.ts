import { testAppCode } from '../acceptance/app-code.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testAppCode(vite, driver)
})
