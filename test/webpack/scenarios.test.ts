import { chromium } from '../acceptance/chromium.ts'
import { testScenarios } from '../acceptance/scenarios.ts'
import { rspack, webpack } from './tools.ts'

testScenarios(webpack, chromium, 'main')
testScenarios(rspack, chromium, 'main')
