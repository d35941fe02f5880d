import { testPanelScenarios } from '../acceptance/panel-scenarios.ts'
import { vite } from './vite.ts'

testPanelScenarios(vite)
