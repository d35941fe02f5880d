import { testScriptPolicies } from '../acceptance/script-policies.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testScriptPolicies(vite, driver)
})
