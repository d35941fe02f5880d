import { testAppCode } from '../acceptance/app-code.ts'
import { vite } from './vite.ts'

testAppCode(vite)
