import { testDocuments } from '../acceptance/documents.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  testDocuments(vite, driver)
})
