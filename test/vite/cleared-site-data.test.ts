import { testClearedSiteData } from '../acceptance/cleared-site-data.ts'
import { vite } from './vite.ts'

testClearedSiteData(vite)
