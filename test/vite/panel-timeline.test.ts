import { testPanelTimeline } from '../acceptance/panel-timeline.ts'
import { vite } from './vite.ts'

testPanelTimeline(vite)
