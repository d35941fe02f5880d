import { chromium } from '../acceptance/chromium.ts'
import { testHandlersRecreated } from '../acceptance/handlers-recreated.ts'
import { rspack, webpack } from './tools.ts'

testHandlersRecreated(webpack, chromium, 'main')
testHandlersRecreated(rspack, chromium, 'main')
