import { testKinds } from './kinds.ts'
import { webpackKinds } from './tools.ts'

testKinds(webpackKinds)
