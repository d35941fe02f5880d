import { testPanelSaving } from '../acceptance/panel-saving.ts'
import { testPanel } from '../acceptance/panel.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testPanel(vite, driver)
  testPanelSaving(vite, driver)
})
