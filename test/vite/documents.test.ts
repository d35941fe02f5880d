import { testDocuments } from '../acceptance/documents.ts'
import { vite } from './vite.ts'

testDocuments(vite)
