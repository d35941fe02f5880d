import '../acceptance/whole-browser.ts'
import { testFirstLine } from '../acceptance/first-line.ts'
import { vite } from './vite.ts'

testFirstLine(vite)
