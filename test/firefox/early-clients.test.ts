import { testEarlyClients } from '../acceptance/early-clients.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testEarlyClients(vite, driver)
})
