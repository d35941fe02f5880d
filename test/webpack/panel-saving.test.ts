import { testPanelSaving } from '../acceptance/panel-saving.ts'
import { rspack, webpack } from './tools.ts'

testPanelSaving(webpack)
testPanelSaving(rspack)
