import { testScriptPolicies } from '../acceptance/script-policies.ts'
import { rspack, webpack } from './tools.ts'

testScriptPolicies(webpack)
testScriptPolicies(rspack)
