import { testPanelBytes } from '../acceptance/panel-bytes.ts'
import { vite } from './vite.ts'

testPanelBytes(vite)
