/**
 * Runs what depends on the build tool of each view of the panel: all of it with webpack; with Rspack, where the same plugin serves the same
 * panel, what shows or reads the code of modules. `panel.test.ts` and `panel-saving.test.ts` test other views. `test/vite` tests the rest.
 */
import { testPanelBytes } from '../acceptance/panel-bytes.ts'
import { testPanelHar } from '../acceptance/panel-har.ts'
import { testPanelLog } from '../acceptance/panel-log.ts'
import { testPanelLooks } from '../acceptance/panel-looks.ts'
import { testPanelPreserve } from '../acceptance/panel-preserve.ts'
import { testPanelRecord } from '../acceptance/panel-record.ts'
import { testPanelSave } from '../acceptance/panel-save.ts'
import { testPanelScenarios } from '../acceptance/panel-scenarios.ts'
import { testPanelState } from '../acceptance/panel-state.ts'
import { testPanelTimeline } from '../acceptance/panel-timeline.ts'
import { rspack, webpack } from './tools.ts'

testPanelLog(webpack, 'main')
testPanelLooks(webpack, 'main')
testPanelTimeline(webpack, 'main')
testPanelState(webpack, 'main')
testPanelPreserve(webpack, 'main')
testPanelHar(webpack, 'main')
testPanelBytes(webpack, 'main')
testPanelRecord(webpack, 'main')
testPanelScenarios(webpack, 'main')
testPanelSave(webpack, 'main')

testPanelLog(rspack, 'main')
testPanelScenarios(rspack, 'main')
