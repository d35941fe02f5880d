import { testPanelState } from '../acceptance/panel-state.ts'
import { vite } from './vite.ts'

testPanelState(vite)
