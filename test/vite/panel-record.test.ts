import { testPanelRecord } from '../acceptance/panel-record.ts'
import { vite } from './vite.ts'

testPanelRecord(vite)
