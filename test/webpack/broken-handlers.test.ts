import { testBrokenHandlers } from '../acceptance/broken-handlers.ts'
import { chromium } from '../acceptance/chromium.ts'
import { webpack } from './tools.ts'

testBrokenHandlers(webpack, chromium, 'main')
