import { testKinds } from './kinds/test-kinds.ts'
import { webpackKinds } from './tools.ts'

testKinds(webpackKinds)
