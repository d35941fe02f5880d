import { testHandlersRecreated } from '../acceptance/handlers-recreated.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testHandlersRecreated(vite, driver, 'main')
})
