import { chromium } from '../acceptance/chromium.ts'
import { testScriptPolicies } from '../acceptance/script-policies.ts'
import { rspack, webpack } from './tools.ts'

testScriptPolicies(webpack, chromium, 'main')
testScriptPolicies(rspack, chromium, 'main')
