/** Runs the scenarios of the panel's views with webpack. `panel-views-rspack.test.ts` runs the same with Rspack, in another process. */
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
import { webpack } from './tools.ts'

testPanelLog(webpack)
testPanelLooks(webpack)
testPanelTimeline(webpack)
testPanelState(webpack)
testPanelPreserve(webpack)
testPanelHar(webpack)
testPanelBytes(webpack)
testPanelRecord(webpack)
testPanelScenarios(webpack)
testPanelSave(webpack)
