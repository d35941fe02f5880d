import { testFrames } from '../acceptance/frames.ts'
import { vite } from './vite.ts'

testFrames(vite)
