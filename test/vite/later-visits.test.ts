import { testLaterVisits } from '../acceptance/later-visits.ts'
import { vite } from './vite.ts'

testLaterVisits(vite)
