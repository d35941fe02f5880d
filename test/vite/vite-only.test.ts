import { testFirstVisit } from '../acceptance/first-visit.ts'
import { testViteOnly } from '../acceptance/vite-only.ts'
import { vite } from './vite.ts'

testFirstVisit(vite)
testViteOnly(vite)
