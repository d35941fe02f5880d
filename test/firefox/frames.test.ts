import { testFrames } from '../acceptance/frames.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testFrames(vite, driver)
})
