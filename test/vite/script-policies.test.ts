import { testScriptPolicies } from '../acceptance/script-policies.ts'
import { vite } from './vite.ts'

testScriptPolicies(vite)
