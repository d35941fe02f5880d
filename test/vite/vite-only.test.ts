import { testViteOnly } from './vite-only.ts'
import { vite } from './vite.ts'

testViteOnly(vite)
