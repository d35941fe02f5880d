import { testPlatformFeatures } from '../acceptance/platform-features.ts'
import { vite } from './vite.ts'

testPlatformFeatures(vite)
