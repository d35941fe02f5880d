import { testBuilds } from '../acceptance/builds.ts'
import { chromium } from '../acceptance/chromium.ts'
import { webpack } from './tools.ts'

testBuilds(webpack, chromium, 'main')
