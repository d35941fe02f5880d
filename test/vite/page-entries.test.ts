import { testPageEntries } from '../acceptance/page-entries.ts'
import { vite } from './vite.ts'

testPageEntries(vite)
