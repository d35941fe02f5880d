import { testBases } from '../acceptance/bases.ts'
import { vite } from './vite.ts'

testBases(vite)
