import { testQuickEdits } from '../acceptance/quick-edits.ts'
import { vite } from './vite.ts'

testQuickEdits(vite)
