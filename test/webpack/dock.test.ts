import { testDock } from '../acceptance/dock.ts'
import { webpack } from './tools.ts'

testDock(webpack)
