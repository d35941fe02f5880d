import { testOtherScopes } from '../acceptance/other-scopes.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testOtherScopes(vite, driver)
})
