import { testScenarios } from '../acceptance/scenarios.ts'
import { vite } from './vite.ts'

testScenarios(vite)
