import { testScenarios } from '../acceptance/scenarios.ts'
import { rspack, webpack } from './tools.ts'

testScenarios(webpack)
testScenarios(rspack)
