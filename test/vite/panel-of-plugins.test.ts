/** Tests the panel with every plugin. panel.test.ts tests its functions. */
import { testPanelSaving } from '../acceptance/panel-saving.ts'
import { testPanel } from '../acceptance/panel.ts'
import { vite } from './vite.ts'

testPanel(vite)
testPanelSaving(vite)
