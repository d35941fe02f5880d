/** What the panel is with every plugin; what it can do is in panel.test.ts. */
import { testPanel } from '../acceptance/panel.ts'
import { vite } from './vite.ts'

testPanel(vite)
