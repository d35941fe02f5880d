import { testSeparateOptions } from './kinds/separate-options.ts'
import { rspackKinds, webpackDevServer5Kinds } from './tools.ts'

testSeparateOptions(webpackDevServer5Kinds)
testSeparateOptions(rspackKinds)
