import { testScenarios } from '../acceptance/scenarios.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testScenarios(vite, driver, 'main')
})
