import { testLinkClients } from '../acceptance/link-clients.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testLinkClients(driver)
})
