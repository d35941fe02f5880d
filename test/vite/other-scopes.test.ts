import { testOtherScopes } from '../acceptance/other-scopes.ts'
import { vite } from './vite.ts'

testOtherScopes(vite)
