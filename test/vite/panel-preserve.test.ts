import { testPanelPreserve } from '../acceptance/panel-preserve.ts'
import { vite } from './vite.ts'

testPanelPreserve(vite)
