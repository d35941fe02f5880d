import { testFidelity } from '../fidelity/test-fidelity.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testFidelity(driver)
})
