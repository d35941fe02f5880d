import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { webpack } from './tools.ts'

testBrokenHandlers(webpack)
