/** Runs what depends on the build tool of each view of the panel, with webpack and Rspack. `test/vite` tests the rest. */
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

for (const tool of [webpack, rspack]) {
  testPanelLog(tool, 'main')
  testPanelLooks(tool, 'main')
  testPanelTimeline(tool, 'main')
  testPanelState(tool, 'main')
  testPanelPreserve(tool, 'main')
  testPanelHar(tool, 'main')
  testPanelBytes(tool, 'main')
  testPanelRecord(tool, 'main')
  testPanelScenarios(tool, 'main')
  testPanelSave(tool, 'main')
}
