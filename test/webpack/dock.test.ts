import { testDock } from '../acceptance/dock.ts'
import { rspack, webpack } from './tools.ts'

testDock(webpack, 'main')
testDock(rspack, 'main')
