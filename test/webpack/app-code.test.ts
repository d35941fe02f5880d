import { testAppCode } from '../acceptance/app-code.ts'
import { webpack } from './tools.ts'

testAppCode(webpack)
