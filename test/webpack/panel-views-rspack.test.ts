/** Runs the scenarios of the panel's views with Rspack, whose tests take less time than webpack's. */
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
import { rspack } from './tools.ts'

testPanelLog(rspack)
testPanelLooks(rspack)
testPanelTimeline(rspack)
testPanelState(rspack)
testPanelPreserve(rspack)
testPanelHar(rspack)
testPanelBytes(rspack)
testPanelRecord(rspack)
testPanelScenarios(rspack)
testPanelSave(rspack)
