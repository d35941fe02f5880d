import { testFirstLine } from '../acceptance/first-line.ts'
import { useWholeBrowser } from '../acceptance/whole-browser.ts'
import { vite } from './vite.ts'

useWholeBrowser()
testFirstLine(vite)
