import { testWebWorkerPolicies } from '../acceptance/web-worker-policies.ts'

testWebWorkerPolicies()
