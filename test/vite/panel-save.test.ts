import { testPanelSave } from '../acceptance/panel-save.ts'
import { vite } from './vite.ts'

testPanelSave(vite)
