import { testPanelLog } from '../acceptance/panel-log.ts'
import { vite } from './vite.ts'

testPanelLog(vite)
