import { testTrace } from '../acceptance/trace.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testTrace(vite, driver)
})
