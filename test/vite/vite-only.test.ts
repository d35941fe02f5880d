import { testViteOnly } from '../acceptance/vite-only.ts'
import { vite } from './vite.ts'

testViteOnly(vite)
