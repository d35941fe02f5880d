import { testPanelHar } from '../acceptance/panel-har.ts'
import { vite } from './vite.ts'

testPanelHar(vite)
