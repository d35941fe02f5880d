import { chromium } from '../acceptance/chromium.ts'
import { testDocuments } from '../acceptance/documents.ts'
import { rspack, webpack } from './tools.ts'

testDocuments(webpack)
testDocuments(rspack, chromium, 'main')
