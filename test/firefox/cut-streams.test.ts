import { testCutStreams } from '../acceptance/cut-streams.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testCutStreams(driver)
})
