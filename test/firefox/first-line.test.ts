import { testFirstLine } from '../acceptance/first-line.ts'
import { vite } from '../vite/vite.ts'
import { webpack } from '../webpack/tools.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testFirstLine(vite, driver)
  testFirstLine(webpack, driver, 'visits')
})
