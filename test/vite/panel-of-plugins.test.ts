/** Tests the panel with every plugin. panel.test.ts tests its functions. */
import { testPanel } from '../acceptance/panel.ts'
import { vite } from './vite.ts'

testPanel(vite)
