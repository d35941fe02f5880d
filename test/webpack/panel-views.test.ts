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

for (const tool of [webpack, rspack]) {
  testPanelLog(tool)
  testPanelLooks(tool)
  testPanelTimeline(tool)
  testPanelState(tool)
  testPanelPreserve(tool)
  testPanelHar(tool)
  testPanelRecord(tool)
  testPanelScenarios(tool)
  testPanelSave(tool)
}
