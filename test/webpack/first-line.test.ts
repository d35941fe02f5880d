import { testFirstLine } from '../acceptance/first-line.ts'
import { webpack } from './tools.ts'

testFirstLine(webpack)
