import { testPanelLooks } from '../acceptance/panel-looks.ts'
import { vite } from './vite.ts'

testPanelLooks(vite)
