/**
 * Runs what depends on the build tool of views of the panel: what shows, reads or writes the code of modules. With Rspack, the same plugin
 * serves the same panel. `panel.test.ts` and `panel-saving.test.ts` test other views. `test/vite` tests the rest.
 */
import { testPanelBytes } from '../acceptance/panel-bytes.ts'
import { testPanelLog } from '../acceptance/panel-log.ts'
import { testPanelRecord } from '../acceptance/panel-record.ts'
import { testPanelSave } from '../acceptance/panel-save.ts'
import { testPanelScenarios } from '../acceptance/panel-scenarios.ts'
import { rspack, webpack } from './tools.ts'

testPanelLog(webpack, 'main')
testPanelBytes(webpack, 'main')
testPanelRecord(webpack, 'main')
testPanelScenarios(webpack, 'main')
testPanelSave(webpack, 'main')

testPanelLog(rspack, 'main')
testPanelScenarios(rspack, 'main')
