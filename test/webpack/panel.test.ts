import { testPanel } from '../acceptance/panel.ts'
import { webpack } from './tools.ts'

testPanel(webpack)
